// What @formatjs/icu-messageformat-parser makes of messages, and Intl.PluralRules of locales: JSON in, JSON out.
// Messages become trees of placeholders: "#", ["name"], ["name", type, style], ["name", type, offset, {key: [...]}].
// The folder that has node_modules is named by SKILL_EVALUATOR_FORMATJS.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const found = createRequire(join(process.env.SKILL_EVALUATOR_FORMATJS, "/"));
const { parse, TYPE } = await import(pathToFileURL(found.resolve("@formatjs/icu-messageformat-parser")));
const { messages, locales } = JSON.parse(readFileSync(0, "utf8"));
const OPTIONS = { ignoreTag: true, captureLocation: true, shouldParseSkeletons: false };

function answer(message) {
  try {
    return tree(parse(message, OPTIONS), message);
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function tree(elements, message) {
  return elements.filter((one) => one.type !== TYPE.literal).map((one) => part(one, message));
}

function part(one, message) {
  switch (one.type) {
    case TYPE.pound:
      return "#";
    case TYPE.argument:
      return [one.value];
    case TYPE.plural:
      return [one.value, one.pluralType === "ordinal" ? "selectordinal" : "plural", one.offset, branches(one, message)];
    case TYPE.select:
      return [one.value, "select", 0, branches(one, message)];
    default:
      return [one.value, TYPE[one.type], style(one.style, message)];
  }
}

function branches(one, message) {
  return Object.fromEntries(Object.entries(one.options).map(([key, option]) => [key, tree(option.value, message)]));
}

function style(written, message) {
  if (written === null || typeof written === "string") return written ?? "";
  return message.slice(written.location.start.offset, written.location.end.offset).trimEnd();
}

// For each locale: the categories, and the first letter of the one that each whole number below 200 has, "-" for other.
const letter = (category) => (category === "other" ? "-" : category[0]);

function plurals(locale, type) {
  const rules = new Intl.PluralRules(locale, { type });
  const letters = Array.from({ length: 200 }, (_, number) => letter(rules.select(number))).join("");
  return { of: rules.resolvedOptions().locale, categories: rules.resolvedOptions().pluralCategories, letters };
}

function rulesOf(locale) {
  try {
    return { cardinal: plurals(locale, "cardinal"), ordinal: plurals(locale, "ordinal") };
  } catch {
    return null;
  }
}

process.stdout.write(
  JSON.stringify({ messages: messages.map(answer), locales: locales.map(rulesOf), cldr: process.versions.cldr }),
);

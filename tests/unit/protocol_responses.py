"""Responses of every kind that are whole, and what may happen to them on their way, with the code that it deserves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

KINDS = ("strings", "objects", "tagged", "numbered", "lines")
FORMATS = {"strings": "json", "objects": "json", "tagged": "tagged", "numbered": "numbered", "lines": "lines"}
TERMINATORS = (None, "<END>", "### END ###", "[DONE]", "END_OF_BATCH", "以上、翻訳終わり。")
WORDS = (
    *("Start", 'the "red" door', "1.5 km", "关卡 7", "<b>bold</b>", "{name}", "[Player]", "e\u0301", "🇩🇪", "it's"),
    *("back\\slash", "50 %", "a, b", "`code`", "«oui»", "שלום", "1. Platz", "THE WEEKEND"),
)
# Lines have no breaks inside; in a list, what begins with a number is a new item unless it is indented.
_BREAKS = {"lines": " ", "numbered": "\n   "}


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """A response in its parts: what stands before, between and after its items, so that each can be damaged."""

    kind: str
    items: tuple[str, ...]
    terminator: str | None

    def text(self, items: Sequence[str] | None = None, *, ending: str | None = None) -> str:
        """Write it down, with other items or another ending where they are given."""
        body = self.body(self.items if items is None else items)
        end = self.terminator if ending is None else ending
        return body + (f"\n{end}" if end else "") + "\n"

    def body(self, items: Sequence[str]) -> str:
        """Write the items down."""
        if FORMATS[self.kind] == "json":
            return "[" + ", ".join(items) + "]"
        return "\n".join(items)


def item(kind: str, number: int, text: str) -> str:
    match kind:
        case "strings":
            return json.dumps(text, ensure_ascii=False)
        case "objects":
            return json.dumps({"id": number, "text": text}, ensure_ascii=False)
        case "tagged":
            return f'<item id="{number}">{text}</item>'
        case "numbered":
            return f"{number}. {text}"
        case _:
            return text


def whole(kind: str, random: Random, terminator: str | None) -> Response:
    """Make a response of 3 to 8 items that is as it should be."""
    items = []
    count = random.randint(3, 8)
    for number in range(1, count + 1):
        words = ["so", *random.choices(WORDS, k=random.randint(1, 4)), "it is"]
        if terminator and number < count and random.random() < 0.3:
            words[0] += f" {terminator} goes"
        between = _BREAKS.get(kind, "\n") if random.random() < 0.3 else " "
        items.append(item(kind, number, between.join(words)))
    return Response(kind=kind, items=tuple(items), terminator=terminator)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """A response to which something happened.

    Attributes:
        name: What.
        text: The response.
        codes: Those that may be the gravest; empty where nothing is wrong with it.
        lost: The number of the item that is not there any more, where the response still numbers them.
    """

    name: str
    text: str
    codes: frozenset[str]
    lost: int | None = None


def mutations(response: Response, random: Random) -> Iterator[Mutation]:
    """Do each thing that can be done to a response, at a place that the seed chooses."""
    yield from _of_items(response, random)
    yield from _of_boundaries(response, random)
    if response.terminator:
        yield from _of_terminator(response, response.terminator, random)


def _of_items(response: Response, random: Random) -> Iterator[Mutation]:
    items = list(response.items)
    at = random.randrange(len(items))
    has_names = response.kind in {"objects", "tagged", "numbered"}
    dropped = response.text(items[:at] + items[at + 1 :])
    # The last one of a list that counts from 1 is missed as well as one inside of it, by how many there should be.
    yield Mutation(
        name="drop", text=dropped, codes=frozenset({"protocol_missing_item"}), lost=at + 1 if has_names else None
    )
    doubled = "protocol_malformed_item" if has_names else "protocol_extra_item"
    yield Mutation(name="double", text=response.text([*items[: at + 1], *items[at:]]), codes=frozenset({doubled}))
    one_more = [*items, item(response.kind, len(items) + 1, "one more")]
    yield Mutation(name="add", text=response.text(one_more), codes=frozenset({"protocol_extra_item"}))
    swapped = [*items[:-2], items[-1], items[-2]]
    # Ids say which item is which, wherever it stands; a list has to count up; texts alone cannot be told apart.
    counts = frozenset({"protocol_malformed_item"} if response.kind == "numbered" else ())
    yield Mutation(name="reorder", text=response.text(swapped), codes=counts)
    emptied = [*items[:at], item(response.kind, at + 1, " "), *items[at + 1 :]]
    lost = "protocol_missing_item" if response.kind == "lines" else "protocol_malformed_item"
    yield Mutation(name="empty", text=response.text(emptied), codes=frozenset({lost}))


def _of_boundaries(response: Response, random: Random) -> Iterator[Mutation]:
    malformed = frozenset({"protocol_malformed_item"})
    items = list(response.items)
    at = random.randrange(len(items) - 1)
    body = response.body(items)
    cut = body[: random.randrange(1, len(body) - len(items[-1]))].rstrip()
    match response.kind:
        case "strings" | "objects":
            yield Mutation(name="cut", text=cut, codes=malformed)
            yield Mutation(name="no bracket", text=response.text().replace("]\n", "\n"), codes=malformed)
            rest = ", ".join(items[at + 1 :])
            joined = "[" + ", ".join(items[: at + 1]) + " " + rest + "]\n"
            yield Mutation(name="no comma", text=joined + (response.terminator or ""), codes=malformed)
            broken = [*items[:at], items[at].replace('"', "", 1), *items[at + 1 :]]
            yield Mutation(name="no quote", text=response.text(broken), codes=malformed)
            torn = [*items[:at], items[at][:-1], *items[at + 1 :]]
            yield Mutation(name="torn", text=response.text(torn), codes=malformed)
        case "tagged":
            yield Mutation(name="cut", text=cut, codes=malformed | {"protocol_missing_item"})
            for name, old, new in (
                ("no closing tag", "</item>", ""),
                ("no opening tag", f'<item id="{at + 1}">', ""),
                ("broken closing tag", "</item>", "</item"),
                ("other closing tag", "</item>", "</itm>"),
                ("broken opening tag", '">', '"'),
                ("no quotes", f'"{at + 1}"', f"{at + 1}"),
                ("other opening tag", "<item", "<Item"),
                ("no id", f' id="{at + 1}"', ""),
            ):
                broken = [*items[:at], items[at].replace(old, new, 1), *items[at + 1 :]]
                yield Mutation(name=name, text=response.text(broken), codes=malformed)
        case "numbered":
            yield Mutation(name="cut", text=cut, codes=malformed | {"protocol_missing_item"})
            broken = [*items[: at + 1], items[at + 1].split(". ", 1)[1], *items[at + 2 :]]
            missing = frozenset({"protocol_missing_item"})
            yield Mutation(name="no number", text=response.text(broken), codes=missing, lost=at + 2)
            headless = [items[0].split(". ", 1)[1], *items[1:]]
            yield Mutation(name="no first number", text=response.text(headless), codes=malformed)
            yield Mutation(name="words before", text="Here you are:\n" + response.text(), codes=malformed)
        case _:
            yield Mutation(name="cut", text=cut, codes=frozenset({"protocol_missing_item"}))
            joined_lines = [*items[:at], f"{items[at]} {items[at + 1]}", *items[at + 2 :]]
            yield Mutation(name="joined", text=response.text(joined_lines), codes=frozenset({"protocol_missing_item"}))


def _of_terminator(response: Response, terminator: str, random: Random) -> Iterator[Mutation]:
    malformed = frozenset({"protocol_malformed_terminator"})
    body = response.body(response.items)
    yield Mutation(name="no end", text=f"{body}\n", codes=frozenset({"protocol_missing_terminator"}))
    at = random.randrange(len(terminator))
    kept = random.randrange(2, len(terminator))
    for name, ending in (
        ("end twice", f"{terminator}\n{terminator}"),
        ("end twice on a line", f"{terminator} {terminator}"),
        ("end cut", terminator[:kept]),
        ("end damaged", terminator[:at] + "~" + terminator[at + 1 :]),
        ("end lacks a character", terminator[:at] + terminator[at + 1 :]),
        ("words after", f"{terminator}\nI hope that this helps!"),
        ("words after on its line", f"{terminator} (done)"),
    ):
        yield Mutation(name=name, text=response.text(ending=ending), codes=malformed)
    if FORMATS[response.kind] != "json":
        early = [*response.items[:-1], terminator, response.items[-1]]
        yield Mutation(name="end early", text="\n".join(early), codes=malformed)
        yield Mutation(name="end early and late", text=response.text(early), codes=malformed)

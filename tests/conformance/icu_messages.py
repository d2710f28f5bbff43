"""ICU messages for a comparison: edge cases picked by hand, and thousands drawn from a grammar and then damaged."""

import random
from collections.abc import Callable, Iterator
from typing import Final

SEED: Final = 20_261_201
GENERATED: Final = 5_000
LONGEST: Final = 300  # characters

PICKED: Final = (
    # quotes
    *("it's", "it''s {n}", "'", "''", "'''", "''''", "'{", "'{'", "'{n}'", "'{n}", "{n}'", "'{'{n}'}'", "'{''}' {n}"),
    *("''{n}''", "'''{n}'''", "''''{n}", "don't {n}", "l'{n}", "l''{n}", "'{a' {b} '}'", "'}{n}'", "'#{n}", "'#' {n}"),
    *(
        "{n, plural, other {'#' #}}",
        "{n, plural, other {'# #}}",
        "{n, plural, other {''#''}}",
        "{n, plural, other {it's #}}",
    ),
    *(
        "{n, plural, other {'{#}' #}}",
        "{n, plural, other {'}'}}",
        "{n, plural, other {'}}",
        "{n, plural, other {'#'''}}",
    ),
    *("{g, select, other {'#'{n}'#'}}", "{g, select, other {'#' '{n}'}}", "'|' {n}", "'|{n}|'", "'a{n}'", "' {n} '"),
    *("{n, number, '#'0}", "{n, number, '}'}", "{n, number, ''}", "{n, number, '}", "{d, date, h 'o''clock'}"),
    *("{d, date, '{'yyyy'}'}", "{d, date, yyyy '}' {a} }", "{d, time, {{a}b}c}", "{d, time, {a}", "{d, time, a}}"),
    # tags, which both readers are asked to take as text
    *(
        "<b>{n}</b>",
        "<b>{n}",
        "</b>{n}",
        "<b/>{n}",
        "a < {n} > b",
        "'<b>' {n}",
        "'<{n}>'",
        "'>{n}'",
        "{n, plural, other {<b>#</b>}}",
    ),
    # braces
    *(
        "",
        " ",
        "}",
        "}}",
        "a } {n}",
        "{",
        "{{",
        "{}",
        "{ }",
        "{n",
        "{n ",
        "{ n }",
        "{\nn\t}",
        "{n}}",
        "{{n}}",
        "{n}{n}",
    ),
    *("\u200e{\u200en\u200f}", "{\xa0n}", "{n\u2028}", "{\u3000n}", "{\x85n}", "{\ufeffn}", "{\x1cn}", "{n\x00}"),
    # names
    *("{0}", "{01}", "{-1}", "{1a}", "{99999999999}", "{a_b}", "{a-b}", "{a.b}", "{a b}", "{a:b}", "{a!}", "{$a}"),
    *(
        "{é}",
        "{名前}",
        "{a’b}",
        "{a'b}",
        "{\U0001f600}",
        "{a\u00b7b}",
        "{ª}",
        "{a\u200db}",
        "{\U0001d4d0}",
        "{#}",
        "{a#}",
    ),
    # types and styles
    *(
        "{n,number}",
        "{n,number,}",
        "{n, number, }",
        "{n, number, integer}",
        "{n,number,#,##0.00}",
        "{n, number, ::percent}",
    ),
    *(
        "{n, number, ::}",
        "{n, number, :: }",
        "{n, number, ::a//b}",
        "{n, number, ::a/}",
        "{n, number, ::.00 currency/EUR}",
    ),
    *("{d, date}", "{d, date, short}", "{d, date, ::yMMMd}", "{d, date, ::}", "{d, time, medium }", "{d, time, ::jmm}"),
    *(
        "{n, }",
        "{n,",
        "{n,,}",
        "{n, foo}",
        "{n, spellout}",
        "{n, ordinal, %spellout-ordinal}",
        "{n, duration}",
        "{n, Number}",
    ),
    *(
        "{n, list}",
        "{n, number integer}",
        "{n, number, a\xa0}",
        "{n, number, \xa0}",
        "{n number}",
        "{n, number",
        "{n, number, x",
    ),
    *("{n, choice, 0#none|1#one|1<many}", "{n, choice, 0#a {b}|1#c}", "{n, choice}", "{n, number, a{b}c}"),
    # plurals
    *("{n, plural}", "{n, plural,}", "{n, plural, }", "{n, plural, one}", "{n, plural, one {a}}", "{n, plural, other}"),
    *("{n, plural, other {}}", "{n,plural,other{#}}", "{n,plural,one{#}other{#}}", "{n, plural, other {a} one {b}}"),
    *(
        "{n, plural, other {a} other {b}}",
        "{n, plural, =1 {a} =1 {b} other {}}",
        "{n, plural, =1 {a} =01 {b} other {}}",
    ),
    *("{n, plural, =0 {a} =1{b}other{c}}", "{n, plural, = 1 {a} other {}}", "{n, plural, =a {a} other {}}"),
    *(
        "{n, plural, =-1 {a} other {}}",
        "{n, plural, =+1 {a} other {}}",
        "{n, plural, =1.5 {a} other {}}",
        "{n, plural, = {} other {}}",
    ),
    *(
        "{n, plural, =99999999999999999999 {a} other {}}",
        "{n, plural, few {a} foo {b} other {}}",
        "{n, plural, 1 {a} other {}}",
    ),
    *("{n, plural, offset:1 other {#}}", "{n, plural, offset: 1 other {#}}", "{n, plural, offset :1 other {#}}"),
    *("{n, plural, offset:-1 other {#}}", "{n, plural, offset:+2 other {#}}", "{n, plural, offset:0 other {#}}"),
    *("{n, plural, offset:1other {#}}", "{n, plural, offset:1.5 other {#}}", "{n, plural, offset: other {#}}"),
    *("{n, plural, offset:x other {#}}", "{n, plural, offset {a} other {#}}", "{n, plural, other {#} offset:1}"),
    *(
        "{n, plural, offset:1 offset:2 other {#}}",
        "{n, plural, offset:1}",
        "{n, plural, offset:99999999999999999999 other {}}",
    ),
    *(
        "{n, selectordinal, one {#st} other {#th}}",
        "{n, selectordinal, offset:1 =1 {a} other {#}}",
        "{n, selectordinal}",
    ),
    *(
        "{n, Plural, other {a}}",
        "{n, PLURAL, other {#}}",
        "{n, plural other {a}}",
        "{n, plural, other a}",
        "{n, plural, {a}}",
    ),
    *(
        "{n, plural, other {a}",
        "{n, plural, other {a",
        "{n, plural, other {a}} }",
        "{n, plural, other {a}}}",
        "#",
        "# {n}",
    ),
    *(
        "{n, plural, other {{n}}}",
        "{n, plural, other {#{m, plural, other {#}}#}}",
        "{n, plural, other {{}}}",
        "{n, plural, other {{a}",
    ),
    *(
        "{n, plural, OTHER {a}}",
        "{n, plural, a-b {a} other {}}",
        "{n, plural, other\n{a}\n}",
        "{n, plural, \u200eother {a}}",
    ),
    # selects
    *(
        "{g, select}",
        "{g, select,}",
        "{g, select, a {b}}",
        "{g, select, other {}}",
        "{g, select, a {b} a {c} other {}}",
    ),
    *(
        "{g, select, =1 {a} other {}}",
        "{g, select, 1 {a} 0 {b} other {}}",
        "{g, select, offset:1 other {}}",
        "{g, select, other {#}}",
    ),
    *(
        "{g, select, offset {a} other {}}",
        "{g, select, a {{n, plural, other {#}}} other {#}}",
        "{g, select, other {a}} {",
        "{g,select,é{}other{}}",
    ),
    *("{n, plural, other {{g, select, other {# '#'}} #}}", "{g, SELECT, other {}}", "{g, select, a b {c} other {}}"),
    # depth
    *("{g, select, other {" * deep + "{n}" + "}}" * deep for deep in (5, 50, 100, 101)),
    *("{g, select, other {" * 40, "{" * 200, "a" * 3000 + "{n}"),
)


def all_messages() -> list[str]:
    """Give every message, always the same ones, without doubles."""
    drawn = (message for message in _generated(random.Random(SEED)) if len(message) <= LONGEST)  # noqa: S311
    return list(dict.fromkeys([*PICKED, *drawn]))


def _generated(rng: random.Random) -> Iterator[str]:
    for number in range(GENERATED):
        message = well_formed(rng)
        for _ in range(0 if number % 2 else rng.choice((1, 1, 1, 2, 3))):
            message = _damaged(message, rng)
        yield message


def well_formed(rng: random.Random, levels: int = 2) -> str:
    """Write a message that every reader takes."""
    parts = (
        rng.choice((_text, _text, _argument, _choice if levels else _text))(rng, levels)
        for _ in range(rng.randint(1, 4))
    )
    return "".join(parts)


def _text(rng: random.Random, levels: int) -> str:  # noqa: ARG001 - called as its siblings are
    return rng.choice(
        (
            "a",
            " b ",
            "c d",
            "it''s",
            "o'clock",
            "'{x}'",
            "''",
            "'{'",
            "'}'",
            "\n",
            "é",
            "的",
            "🙂",
            "%s",
            "#",
            "<i>",
            "</i>",
            ", ",
        )
    )


def _space(rng: random.Random) -> str:
    return rng.choice(("", "", " ", " ", "  ", "\n", "\t", "\r\n"))


def _argument(rng: random.Random, levels: int) -> str:  # noqa: ARG001 - called as its siblings are
    name, space = rng.choice(("n", "name", "0", "12", "a_b", "größe", "数")), _space
    rest = rng.choice(
        (
            "",
            "",
            ", number",
            ", date",
            ", time,short",
            ", number, integer",
            ", number, ::percent",
            ",date, ::yMMMd",
            ", number, #,##0.0",
            ", date, 'at' h",
        )
    )
    return f"{{{space(rng)}{name}{space(rng)}{rest}{space(rng)}}}"


def _choice(rng: random.Random, levels: int) -> str:
    kind = rng.choice(("plural", "plural", "selectordinal", "select"))
    keys = (
        ("male", "female", "a1", "é") if kind == "select" else ("zero", "one", "two", "few", "many", "=0", "=1", "=12")
    )
    used = [*rng.sample(keys, rng.randint(0, 3)), "other"]
    rng.shuffle(used)
    offset = rng.choice(("", "", "", "offset:1 ", "offset: 2 ")) if kind != "select" else ""
    branches = _space(rng).join(f"{key}{_space(rng)}{{{well_formed(rng, levels - 1)}}}" for key in used)
    return f"{{{rng.choice(('n', 'g', 'count'))},{_space(rng)}{kind},{_space(rng)}{offset}{branches}{_space(rng)}}}"


def _damaged(message: str, rng: random.Random) -> str:
    at = rng.randrange(len(message) + 1)
    to = min(len(message), at + rng.randint(1, 4))
    damage: Callable[[], str] = rng.choice(
        (
            lambda: message[:at] + message[to:],
            lambda: message[:at] + rng.choice("{}',#=:<> \x00x1") + message[at:],
            lambda: message[:to] + message[at:],
            lambda: message[:at],
            lambda: message[:at] + rng.choice("{}',#=:<> x1") + message[to:],
        )
    )
    return damage()

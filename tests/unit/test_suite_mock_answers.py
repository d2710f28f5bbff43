from pathlib import Path

import pytest

from skill_evaluator.formats.suite.mock_answers import MockAnswer, fixed_answer
from skill_evaluator.model import MockTool

GIVEN = {
    "title": "T",
    "n": 5,
    "f": 1.5,
    "one": 1.0,
    "big": 1e21,
    "nul": None,
    "yes": True,
    "lst": [1, {"a": "b"}],
    "obj": {"k": {"z": "deep"}, "sp": "x y"},
    "tpl": "{{input.title}}",
    "dot.key": "D",
    "up": "../x",
    "sl": "a/b",
    "emp": "",
    "hid": ".h",
    "name": "a",
    "num": 7,
    "tf": "{{file:fixtures/a.txt}}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("mocks")
    tracker = top / "tracker"
    fixtures = tracker / "fixtures"
    (fixtures / "sub").mkdir(parents=True)
    (top / "secret.txt").write_text("SECRET", encoding="utf-8")
    (tracker / "other.txt").write_text("OTHER", encoding="utf-8")
    (fixtures / "sub" / "b.txt").write_text("SUB", encoding="utf-8")
    (fixtures / "in.txt").symlink_to("a.txt")
    (fixtures / "out.txt").symlink_to(top / "secret.txt")
    (fixtures / "big.txt").write_bytes(b"x" * 1_100_000)
    (fixtures / "utf.txt").write_bytes(b"a\xffb")
    texts = {"a.txt": "FX", "7.txt": "SEVEN", ".h": "HID", "true.txt": "TRUE", "tpl.txt": "{{input.title}}"}
    for name, text in {**texts, "ws.txt": "  ws \n\n", "crlf.txt": "a\r\n", "1.txt": "ONE", "a b.txt": "AB"}.items():
        (fixtures / name).write_bytes(text.encode())
    return tracker


def answer(folder: Path, body: str) -> MockAnswer:
    tool = MockTool(name="t", kind="fixed", body=body, path=folder / "t.md")
    return fixed_answer(tool, GIVEN)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        # Each as the real program answered the same call.
        ("{{input.title}}", "T"),
        ("{{ input.title }}", "T"),
        ("{{\ninput.title\n}}", "T"),
        ("{{input.n}} {{input.f}} {{input.one}} {{input.big}}", "5 1.5 1 1e+21"),
        ("[{{input.nul}}]", "[null]"),
        ("[{{input.missing}}]", "[]"),
        ("{{input.lst}}", '[1,{"a":"b"}]'),
        ("{{input.lst.1.a}}", "b"),
        ("{{input.lst.01}}", '{"a":"b"}'),
        ("[{{input.lst.length}}{{input.lst.-1}}{{input.title.0}}{{input.dot.key}}{{input.__proto__}}]", "[]"),
        ("{{input.obj}}", '{"k":{"z":"deep"},"sp":"x y"}'),
        ("{{input.tpl}}", "{{input.title}}"),
        ("{{input.tf}}", "{{file:fixtures/a.txt}}"),
        ("{{input}} {{foo}} {{input.}} {{INPUT.title}} {{input[title]}}", None),
        ("{{input .title}} {{input. title}} {{input.title", None),
        ("{{{input.title}}}", "{T}"),
        ("{{file:fixtures/a.txt}}|{{ file: fixtures/a.txt }}", "FX|FX"),
        ("{{file:fixtures/{input.name}.txt}}", "FX"),
        ("{{file:fixtures/{input.num}.txt}}", "SEVEN"),
        ("{{file:fixtures/{input.lst.0}.txt}}", "ONE"),
        ("{{file:fixtures/{input.yes}.txt}}", "TRUE"),
        ("{{file:fixtures/{input.hid}}}", "HID"),
        ("{{file:fixtures/sub/b.txt}}", "SUB"),
        ("{{file:fixtures/../other.txt}}", "OTHER"),
        ("{{file:../tracker/fixtures//a.txt}}", "FX"),
        ("{{file:fixtures/a b.txt}}", "AB"),
        ("{{file:fixtures/in.txt}}", "FX"),
        ("{{file:fixtures/tpl.txt}}", "{{input.title}}"),
        ("{{file:fixtures/ws.txt}}|", "  ws \n\n|"),
        ("{{file:fixtures/crlf.txt}}|", "a\r\n|"),
        ("{{file:fixtures/utf.txt}}", "a�b"),
        ("{{file:}}", None),
        ("{{file:fixtures/{ input.name }.txt}}", None),
        ("{{file:fixtures/{{input.name}}.txt}}", "{{file:fixtures/a.txt}}"),
    ],
)
def test_parts_of_the_input_and_fixtures_are_put_in(folder: Path, body: str, text: str | None) -> None:
    assert answer(folder, body) == MockAnswer(text=body if text is None else text)


@pytest.mark.parametrize(
    "named",
    [
        "fixtures/nope.txt",
        "fixtures",
        "fixtures/sub",
        "fixtures/big.txt",
        "fixtures/{input.up}",
        "fixtures/{input.sl}",
        "fixtures/{input.emp}",
        "fixtures/{input.missing}.txt",
        "fixtures/{input.obj}.txt",
        "fixtures/{input.nul}.txt",
        "/etc/hostname",
        "../secret.txt",
        "fixtures/out.txt",  # the real program follows this link; here nothing outside is read
    ],
)
def test_a_fixture_that_cannot_be_put_in_is_a_tool_error(folder: Path, named: str) -> None:
    found = answer(folder, f"x {{{{file:{named}}}}} y")

    assert found.is_error
    assert "SECRET" not in found.text
    assert found.text.isprintable()


def test_the_answer_of_a_failing_tool_is_an_error(folder: Path) -> None:
    tool = MockTool(name="t", kind="fixed", body="no {{input.n}}", path=folder / "t.md", is_error=True)

    assert fixed_answer(tool, GIVEN) == MockAnswer(text="no 5", is_error=True)

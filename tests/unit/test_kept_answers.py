"""What a model outside the runs answered is kept before it is used, and no question is paid for twice."""

import asyncio
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.api.answers import KeptCompleter, always, question_key
from skill_evaluator.errors import InputError
from skill_evaluator.journal import (
    ANSWERS_FILE,
    BATCHES_FILE,
    JournalWriter,
    KeptAnswer,
    KeptBatch,
    hash_run_folder,
    read_journal,
)
from skill_evaluator.model import AnyQuestion, Completion, Failure, FailureKind, Image, PlainQuestion, Question, Usage
from tests.unit.test_journal import HEADER, RUNS

QUESTION = Question(system="s", text="t", tool="answer", tool_description="d", schema={"type": "object", "b": 1})
PLAIN = PlainQuestion(system="s", text="t")
OTHER = replace(QUESTION, text="another")
FAILED = Completion(failure=Failure(kind=FailureKind.API, message="529"))
ANSWERED = Completion(answer={"score": 4}, usage=Usage(cost_usd=0.1))


class Scripted:
    """Gives the completions in turn."""

    model = "m-1"

    def __init__(self, *completions: Completion) -> None:
        self.asked: list[AnyQuestion] = []
        self.open = False
        self._completions = list(completions)

    async def __aenter__(self) -> object:
        self.open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.open = False

    async def complete(self, question: AnyQuestion) -> Completion:
        assert self.open
        self.asked.append(question)
        return self._completions.pop(0)


def ask(completer: KeptCompleter, *questions: AnyQuestion) -> list[Completion]:
    async def one_after_the_other() -> list[Completion]:
        async with completer:
            return [await completer.complete(question) for question in questions]

    return asyncio.run(one_after_the_other())


def new(folder: Path, secrets: tuple[str, ...] = ()) -> JournalWriter:
    return JournalWriter(folder, HEADER, b"[]", secrets=secrets)


def test_an_answer_is_given_again_without_a_call_also_to_the_next_process(tmp_path: Path) -> None:
    model = Scripted(ANSWERED)
    with new(tmp_path / "run") as journal:
        completer = KeptCompleter("m-1", journal=journal, completer=model)
        assert ask(completer, QUESTION, QUESTION) == [ANSWERED, ANSWERED]
    assert (len(model.asked), completer.calls, completer.spent_usd) == (1, 1, 0.1)

    with JournalWriter.reopen(tmp_path / "run") as journal:
        again = KeptCompleter("m-1", journal=journal, completer=Scripted())
        assert ask(again, QUESTION) == [ANSWERED]
    assert (again.calls, again.spent_usd) == (0, 0.0)


def test_answers_read_back_feed_a_completer_that_asks_nobody(tmp_path: Path) -> None:
    with new(tmp_path / "run") as journal:
        ask(KeptCompleter("m-1", journal=journal, completer=Scripted(ANSWERED, FAILED)), QUESTION, OTHER)

    known = KeptCompleter("m-1", answers=read_journal(tmp_path / "run").answers)
    (answered, failed, unknown) = ask(known, QUESTION, OTHER, replace(QUESTION, system="new"))

    assert (answered, failed) == (ANSWERED, FAILED)
    assert unknown.failure is not None
    assert (unknown.failure.kind, unknown.failure.message[:10]) == (FailureKind.API, "not asked:")
    assert not known.kept_back


def test_a_kept_failure_is_asked_again_and_the_later_answer_counts(tmp_path: Path) -> None:
    with new(tmp_path / "run") as journal:
        ask(KeptCompleter("m-1", journal=journal, completer=Scripted(FAILED)), QUESTION)
    with JournalWriter.reopen(tmp_path / "run") as journal:
        assert ask(KeptCompleter("m-1", journal=journal, completer=Scripted(ANSWERED)), QUESTION) == [ANSWERED]

    answers = read_journal(tmp_path / "run").answers
    assert [answer.completion for answer in answers] == [FAILED, ANSWERED]
    assert ask(KeptCompleter("m-1", answers=answers), QUESTION) == [ANSWERED]


def test_key_is_of_the_model_and_of_all_that_is_sent_whatever_the_order_of_the_schema() -> None:
    turned = replace(QUESTION, schema={"b": 1, "type": "object"})
    sent = (
        '{"max_tokens": 4096, "model": "m-1", "schema": {"b": 1, "type": "object"}, "system": "s", "text": "t", '
        '"tool": "answer", "tool_description": "d"}'
    )

    assert question_key("m-1", QUESTION) == question_key("m-1", turned) == hashlib.sha256(sent.encode()).hexdigest()
    others = (
        replace(QUESTION, system="x"),
        replace(QUESTION, text="x"),
        replace(QUESTION, tool="x"),
        replace(QUESTION, tool_description="x"),
        replace(QUESTION, schema={}),
        replace(QUESTION, max_tokens=1),
    )
    keys = {question_key("m-1", other) for other in others}
    assert len(keys | {question_key("m-2", QUESTION), question_key("m-1", QUESTION)}) == 8


def test_a_call_that_may_not_start_is_not_made_and_not_kept(tmp_path: Path) -> None:
    left = [True, False]
    model = Scripted(ANSWERED)
    with new(tmp_path / "run") as journal:
        completer = KeptCompleter("m-1", journal=journal, completer=model, may_start=lambda: left.pop(0))
        first, second, known = ask(completer, QUESTION, OTHER, QUESTION)

    assert (first, known) == (ANSWERED, ANSWERED)
    assert second.failure is not None
    assert second.failure.message.startswith("not asked:")
    assert (completer.kept_back, completer.calls, len(model.asked)) == (True, 1, 1)
    assert len(read_journal(tmp_path / "run").answers) == 1


def test_money_is_added_up_exactly_and_an_answer_without_a_price_is_told() -> None:
    completer = KeptCompleter("m-1", completer=Scripted(*[replace(FAILED, usage=ANSWERED.usage)] * 10))
    ask(completer, *[QUESTION] * 10)
    assert (completer.spent_usd, completer.cost_unknown, completer.calls) == (1.0, False, 10)

    unpriced = KeptCompleter("m-1", completer=Scripted(FAILED, Completion(answer={})))
    ask(unpriced, QUESTION, QUESTION)
    assert (unpriced.spent_usd, unpriced.cost_unknown) == (0.0, True)


def test_an_answer_is_used_with_its_credentials_masked_as_it_is_kept(tmp_path: Path) -> None:
    said = Completion(answer={"reason": ["the key is swordfish-1234"]})
    with new(tmp_path / "run", secrets=("swordfish-1234",)) as journal:
        failed = replace(FAILED, failure=Failure(kind=FailureKind.AUTH, message="bad swordfish-1234"))
        completer = KeptCompleter("m-1", journal=journal, completer=Scripted(said, failed))
        answer, failure = ask(completer, QUESTION, OTHER)

    assert answer.answer == {"reason": ["the key is [redacted]"]}
    assert failure.failure is not None
    assert failure.failure.message == "bad [redacted]"
    assert "swordfish" not in (tmp_path / "run" / ANSWERS_FILE).read_text("utf-8")


def test_what_no_file_can_hold_becomes_storable_or_a_failure(tmp_path: Path) -> None:
    deep: object = 1
    for _ in range(200):
        deep = [deep]
    odd = Completion(answer={"a": "half \ud800", "b": float("inf")})
    with new(tmp_path / "run") as journal:
        completer = KeptCompleter("m-1", journal=journal, completer=Scripted(odd, Completion(answer={"a": deep})))
        first, second = ask(completer, QUESTION, OTHER)

    assert first.answer == {"a": "half \ufffd", "b": None}
    assert second.answer is None
    assert second.failure is not None


def test_each_vote_is_kept_by_itself_and_given_again(tmp_path: Path) -> None:
    votes = [replace(PLAIN, vote=vote) for vote in range(3)]
    said = [Completion(text=words, usage=ANSWERED.usage) for words in ("PASS", "FAIL", "")]
    with new(tmp_path / "run") as journal:
        assert ask(KeptCompleter("m-1", journal=journal, completer=Scripted(*said)), *votes) == said

    known = KeptCompleter("m-1", answers=read_journal(tmp_path / "run").answers)
    assert ask(known, *votes) == said
    assert len(known.answers) == 3


def test_what_is_asked_in_plain_words_has_a_key_of_its_own() -> None:
    picture = Image(media_type="image/png", base64="aaaa")
    others = (
        replace(PLAIN, system="x"),
        replace(PLAIN, text="x"),
        replace(PLAIN, vote=1),
        replace(PLAIN, max_tokens=1),
        replace(PLAIN, image=picture),
        replace(PLAIN, image=replace(picture, media_type="image/gif")),
        replace(PLAIN, image=replace(picture, base64="bbbb")),
        QUESTION,
    )

    assert len({question_key("m-1", one) for one in (PLAIN, *others)} | {question_key("m-2", PLAIN)}) == 10


def test_words_are_kept_masked_and_without_halves_of_characters(tmp_path: Path) -> None:
    said = Completion(text="PASS, the key is swordfish-1234 \ud800")
    with new(tmp_path / "run", secrets=("swordfish-1234",)) as journal:
        (answer,) = ask(KeptCompleter("m-1", journal=journal, completer=Scripted(said)), PLAIN)

    assert answer.text == "PASS, the key is [redacted] ?"
    assert read_journal(tmp_path / "run").answers[0].completion == answer


def test_connections_are_closed_when_the_asking_ends() -> None:
    model = Scripted(ANSWERED)
    ask(KeptCompleter("m-1", completer=model, may_start=always), QUESTION)

    assert not model.open


def keep(folder: Path) -> Path:
    """A run folder with two answers and two batches."""
    with new(folder) as journal:
        for number in range(2):
            journal.keep_answer(KeptAnswer(key=f"{number}" * 64, model="m-1", completion=ANSWERED))
            journal.keep_batch(KeptBatch(id=f"b{number}", custom_ids=("x", "y")))
    return folder


@pytest.mark.parametrize("name", [ANSWERS_FILE, BATCHES_FILE])
def test_half_a_line_left_by_a_kill_is_passed_over_and_mended(tmp_path: Path, name: str) -> None:
    file = keep(tmp_path / "run") / name
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])

    def kept() -> tuple[int, int]:
        journal = read_journal(tmp_path / "run")
        return len(journal.answers), len(journal.batches)

    assert kept() == ((1, 2) if name == ANSWERS_FILE else (2, 1))
    with JournalWriter.reopen(tmp_path / "run") as journal:
        assert (len(journal.answers), len(journal.batches)) == kept()
        journal.keep_answer(KeptAnswer(key="9" * 64, model="m-1", completion=FAILED))
        journal.keep_batch(KeptBatch(id="b9", custom_ids=()))
    assert kept() == ((2, 3) if name == ANSWERS_FILE else (3, 2))

    file.write_bytes(file.read_bytes().rstrip(b"\n"))
    with JournalWriter.reopen(tmp_path / "run"):
        assert file.read_bytes().endswith(b"}\n")


@pytest.mark.parametrize("name", [ANSWERS_FILE, BATCHES_FILE])
@pytest.mark.parametrize("emptied", [True, False])
def test_edited_lines_are_refused_by_number(tmp_path: Path, name: str, emptied: bool) -> None:
    file = keep(tmp_path / "run") / name
    first, second = file.read_bytes().splitlines()
    file.write_bytes(
        first + b"\n" + (b"{}" if emptied else second.replace(b'"m-1"', b'"m-2"').replace(b'"x"', b'"z"')) + b"\n"
    )

    with pytest.raises(InputError) as caught:
        read_journal(tmp_path / "run")
    ((finding),) = caught.value.findings
    assert (finding.file, finding.line) == (str(file), 2)


def test_hash_of_a_folder_covers_answers_and_batches_and_stays_what_it_was_without_them(tmp_path: Path) -> None:
    with new(tmp_path / "old") as journal:
        for run in RUNS:
            journal.append(run, prompt_sha256="h")
    plain = hash_run_folder(tmp_path / "old")
    lines = sorted(
        hashlib.sha256(line).digest() for line in (tmp_path / "old" / "journal.jsonl").read_bytes().splitlines()
    )
    heads = [hashlib.sha256((tmp_path / "old" / name).read_bytes()).digest() for name in ("run.json", "testset.json")]
    assert plain == hashlib.sha256(b"".join([*heads, *lines])).hexdigest()

    found = {plain}
    for name in (ANSWERS_FILE, BATCHES_FILE):
        (tmp_path / "old" / name).write_bytes((keep(tmp_path / name) / name).read_bytes())
        found.add(hash_run_folder(tmp_path / "old"))
    assert len(found) == 3


def test_a_folder_that_knows_nothing_of_judges_still_reads(tmp_path: Path) -> None:
    with new(tmp_path / "run"):
        pass
    file = tmp_path / "run" / "run.json"
    header = json.loads(file.read_text("utf-8"))
    for key in ("seal", "identities"):
        del header[key]
    for key in ("judge_model", "advise_model"):
        del header["config"][key]
    file.write_text(json.dumps(header), "utf-8")

    journal = read_journal(tmp_path / "run")
    assert (journal.answers, journal.batches, journal.header) == ((), (), HEADER)

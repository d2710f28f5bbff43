"""What is asked, who answers, and what was seen: the types every part shares.

Data goes one way: a reader makes a `Suite` of `Case`s, an `Agent` turns a case into a `Run`, a `Check`
turns a run into an `Outcome`. All values are immutable; `None` always means "not known" or "undefined".
"""

from skill_evaluator.model.agents import Agent, AgentInfo
from skill_evaluator.model.asking import (
    NOT_ASKED,
    AnyQuestion,
    Completer,
    Completion,
    Connected,
    Image,
    PlainQuestion,
    Question,
)
from skill_evaluator.model.cases import Case, Loaded, Suite, Turn
from skill_evaluator.model.checks import VOTES, Check, Grader, GraderArm, JudgedCheck, Outcome, Verdict
from skill_evaluator.model.evidence import Needs, only_needed
from skill_evaluator.model.findings import LEVEL_WORDS, Finding, Source
from skill_evaluator.model.runs import Failure, MockCall, Run, SeenFile, SeenState, ToolCall, Usage
from skill_evaluator.model.skills import PluginSkill, Skill
from skill_evaluator.model.stand_ins import Aborted, RunStandIns, StandIns, StandInServer, StandInTool, StandInUse
from skill_evaluator.model.suite_asking import INTERRUPTED, AskedRun, SuiteAgent
from skill_evaluator.model.suites import Limits, Metadata, MockServer, MockTool, Setup
from skill_evaluator.model.translations import (
    Assertion,
    Candidate,
    Difficulty,
    EvalCase,
    Provenance,
    ProvenanceKind,
)
from skill_evaluator.model.words import (
    LEFT_OUT,
    OUTPUT_GAP,
    Arm,
    Aspect,
    CutBy,
    FailureKind,
    JsonObject,
    Level,
    Severity,
    Split,
    one_line,
)

__all__ = [
    "INTERRUPTED",
    "LEFT_OUT",
    "LEVEL_WORDS",
    "NOT_ASKED",
    "OUTPUT_GAP",
    "VOTES",
    "Aborted",
    "Agent",
    "AgentInfo",
    "AnyQuestion",
    "Arm",
    "AskedRun",
    "Aspect",
    "Assertion",
    "Candidate",
    "Case",
    "Check",
    "Completer",
    "Completion",
    "Connected",
    "CutBy",
    "Difficulty",
    "EvalCase",
    "Failure",
    "FailureKind",
    "Finding",
    "Grader",
    "GraderArm",
    "Image",
    "JsonObject",
    "JudgedCheck",
    "Level",
    "Limits",
    "Loaded",
    "Metadata",
    "MockCall",
    "MockServer",
    "MockTool",
    "Needs",
    "Outcome",
    "PlainQuestion",
    "PluginSkill",
    "Provenance",
    "ProvenanceKind",
    "Question",
    "Run",
    "RunStandIns",
    "SeenFile",
    "SeenState",
    "Setup",
    "Severity",
    "Skill",
    "Source",
    "Split",
    "StandInServer",
    "StandInTool",
    "StandInUse",
    "StandIns",
    "Suite",
    "SuiteAgent",
    "ToolCall",
    "Turn",
    "Usage",
    "Verdict",
    "one_line",
    "only_needed",
]

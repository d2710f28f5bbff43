"""Answers in place of the MCP servers of a plugin, so that nothing real is called."""

from skill_evaluator.stand_ins.recordings import Recording, WrittenRecording, write_recordings
from skill_evaluator.stand_ins.run import OpenStandIns
from skill_evaluator.stand_ins.servers import program_names
from skill_evaluator.stand_ins.suite import SuiteStandIns

__all__ = ["OpenStandIns", "Recording", "SuiteStandIns", "WrittenRecording", "program_names", "write_recordings"]

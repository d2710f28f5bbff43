"""What the command line does, as functions: load, run, grade, measure, compare, report.

The package `skill_evaluator` names the public ones; here each lives in a module of its own, so that a
command loads only what it needs.
"""

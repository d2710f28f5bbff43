"""From graded runs to numbers and a verdict; `docs/metrics.md` has every formula and its source.

An undefined number is None, never 0 or NaN, and an error enters neither side of a rate.
"""

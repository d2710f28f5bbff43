"""Eval suites of `claude plugin eval`: folders of cases -> `Suite`, or findings."""

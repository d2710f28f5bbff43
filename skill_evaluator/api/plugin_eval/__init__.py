"""Runs the eval suite of a plugin with and without it, as `claude plugin eval` does, and measures more."""

"""A report, or the result of a suite, for programs and pages of continuous integration."""

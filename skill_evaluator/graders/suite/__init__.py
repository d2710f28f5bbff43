"""The six grader types of eval suites, by the name that suites use; their fields are the options of the format."""

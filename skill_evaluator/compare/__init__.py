"""Two results side by side: reports of `run`, or results of eval suites."""

"""`python -m skill_evaluator` is the same program as `skill-evaluator`."""

import sys

from skill_evaluator.cli import main

sys.exit(main())

"""Which cases load, and as what: the answers of the real program to all recorded suites."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.suite import LoadedSuite, read_suite

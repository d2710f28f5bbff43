"""Where the Messages API is spoken to unless the environment says otherwise, and the variable that says so."""

BASE_URL_VARIABLE = "ANTHROPIC_BASE_URL"
DEFAULT_BASE_URL = "https://api.anthropic.com"

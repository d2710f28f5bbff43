"""Translation cases: checked by themselves, and put to an agent."""

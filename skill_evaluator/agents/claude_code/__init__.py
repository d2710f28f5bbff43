"""The real Claude Code as agent: one isolated child a run."""

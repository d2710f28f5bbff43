"""EvalCase v1: cases as JSON Lines, dev and locked ones, their manifest, and candidates; read line by line."""

"""Translation cases (EvalCase v1) from a program: cases and candidates in, results out."""

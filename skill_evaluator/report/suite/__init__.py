"""The answer of an eval suite: its file, there and back, and pages made from it."""

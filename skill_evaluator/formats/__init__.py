"""The door: bytes come in, typed values or findings go out; nothing here runs, scores or writes."""

"""The kinds of placeholder, one file each: what stands in a text, and what a translation made of it."""

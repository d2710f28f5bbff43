"""A `Report` as files and text; it is only worded here, never worked out."""

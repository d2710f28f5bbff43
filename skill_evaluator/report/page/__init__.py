"""Pages for people: one HTML file each, which asks for nothing from outside and gives the same bytes each time."""

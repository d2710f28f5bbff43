"""Numbers in a text and what they are worth: how locales write them, and what a translation did to them."""

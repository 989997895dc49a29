"""Text that ends up in somebody's spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What spreadsheets take for the beginning of a formula, wide forms too."""


def escape_formula(text: str) -> str:
    """The text so that no spreadsheet runs it: what looks like a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(_FORMULA) else text

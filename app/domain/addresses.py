"""A property's address as a name: how files are called after it and found by it."""

import unicodedata


def slug(address: str) -> str:
    """The address folded to lower-case words joined by hyphens, in any script.

    `12 Garden Lane, Springfield, IL 62704` is `12-garden-lane-springfield-il-62704`: compatibility forms and
    capitals are folded (NFKC, casefold), and every run of anything but letters, digits and their accents is one
    hyphen, with none at the ends. Empty when the address has no letter and no digit.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", address).casefold())
    words = "".join(each if unicodedata.category(each)[0] in "LNM" else " " for each in folded)
    return "-".join(words.split())

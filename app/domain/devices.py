"""Short names for browsers and systems, by their user agent."""

import re

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
UNKNOWN = "A browser that does not say which"


def device(user_agent: str) -> str:
    """The browser in words, as `Firefox on Windows`; for other programs the name at the start of their user
    agent.
    """
    browser = _first(_BROWSERS, user_agent)
    system = _first(_SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    named = re.match(r"[A-Za-z][\w .-]{0,30}", user_agent)
    return browser or (named[0].strip() if named else UNKNOWN)


def _first(words: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((word for mark, word in words if mark in user_agent), "")

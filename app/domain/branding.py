"""A studio's own look on pages for its clients: checks its logo, and makes its color readable in both themes.

Colors are sRGB, as `#rrggbb`; contrast is as defined by WCAG 2.2.
"""

import re
from dataclasses import dataclass

from app.domain.errors import InvalidRequest
from app.domain.mail_text import one_line
from engine.types.media import HEADER_BYTES, MediaType, sniff

MAX_STUDIO_NAME = 120
MAX_PHONE = 40
MAX_LOGO_MEGABYTES = 2
MAX_LOGO_BYTES = MAX_LOGO_MEGABYTES * 1024**2
LOGO_TYPES = frozenset({MediaType.PNG, MediaType.JPEG, MediaType.WEBP})
MIN_CONTRAST = 4.5
"""The least contrast ratio of text to its background, by WCAG 2.2 AA."""
LIGHT_BACKGROUND, DARK_BACKGROUND = "#f1f2f0", "#1a2027"
"""The background of each theme on which text is hardest to read: the CSS colors --sunken (light), --card (dark)."""
_WHITE, _BLACK = "#ffffff", "#000000"
COLOR_FORM = "# and six characters, 0 to 9 or a to f, such as #14506b"
_COLOR = re.compile(r"#[0-9a-f]{6}")
_PHONE = re.compile(r"\+?[ ().]*(?:[0-9][ ().\-/]*){5,20}(?:(?:ext\.?|x) ?[0-9]{1,6})?", re.ASCII)
_MIXING_STEPS = 100
"""How many mixed colors are tried, from the chosen color to black or white."""


@dataclass(frozen=True, slots=True)
class AccentColors:
    """The colors of one theme: `accent` for links and the background of buttons, `on_accent` for text on
    buttons.
    """

    accent: str
    on_accent: str


def check_logo(content: bytes) -> None:
    """Refuse a file that cannot be a logo: raises InvalidRequest where it is too large, or where its first bytes do
    not belong to one of LOGO_TYPES. A worker checks the rest of the file.
    """
    if len(content) > MAX_LOGO_BYTES:
        raise InvalidRequest({"logo": f"The logo may have at most {MAX_LOGO_MEGABYTES} MB."})
    if sniff(content[:HEADER_BYTES]) not in LOGO_TYPES:
        raise InvalidRequest({"logo": "The logo must be a PNG, JPEG or WebP picture."})


def read_color(text: str) -> str | None:
    """The color as it is stored, `#rrggbb`; None for an empty text. Raises InvalidRequest for any other text."""
    color = text.strip().lower()
    if not color:
        return None
    if not color.startswith("#"):
        color = f"#{color}"
    if not _COLOR.fullmatch(color):
        raise InvalidRequest({"color": f"Enter a color as {COLOR_FORM}."})
    return color


def read_studio_name(text: str) -> str:
    """The name on one line; it may be empty. Raises InvalidRequest when it is too long."""
    line = one_line(text)
    if len(line) > MAX_STUDIO_NAME:
        raise InvalidRequest({"studio_name": f"Use at most {MAX_STUDIO_NAME} characters; there are {len(line)}."})
    return line


def read_phone(text: str) -> str:
    """The phone number as it is written, on one line; it may be empty. Raises InvalidRequest for other text."""
    line = one_line(text)
    if line and (len(line) > MAX_PHONE or not _PHONE.fullmatch(line)):
        raise InvalidRequest({"phone": "Enter a phone number such as (555) 010-4477 or +1 555 010 4477."})
    return line


def light_theme(color: str) -> AccentColors:
    """The colors of the light theme; the accent is made darker where text in it could not be read."""
    return _theme(color, LIGHT_BACKGROUND, _BLACK)


def dark_theme(color: str) -> AccentColors:
    """The colors of the dark theme; the accent is made lighter where text in it could not be read."""
    return _theme(color, DARK_BACKGROUND, _WHITE)


def stylesheet(color: str) -> str:
    """The CSS that gives a page this color, in both themes."""
    light, dark = light_theme(color), dark_theme(color)
    return (
        ":root{"
        f"--accent:light-dark({light.accent},{dark.accent});"
        f"--on-accent:light-dark({light.on_accent},{dark.on_accent});"
        "--accent-soft:var(--sunken)"
        "}"
    )


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colors, from 1 for equal ones to 21 for black and white."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _theme(color: str, background: str, target: str) -> AccentColors:
    """The colors of a theme: the accent is the first color between `color` and `target` (black or white) that has
    MIN_CONTRAST on `background`.
    """
    mixed = (_mix(color, target, step / _MIXING_STEPS) for step in range(_MIXING_STEPS + 1))
    accent = next(each for each in mixed if contrast(each, background) >= MIN_CONTRAST)
    return AccentColors(accent, max((_WHITE, _BLACK), key=lambda text: contrast(text, accent)))


def _mix(color: str, other: str, share: float) -> str:
    pairs = zip(_channels(color), _channels(other), strict=True)
    mixed = (round(own + (goal - own) * share) for own, goal in pairs)
    return "#" + "".join(f"{each:02x}" for each in mixed)


def _channels(color: str) -> tuple[int, int, int]:
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _luminance(color: str) -> float:
    red, green, blue = (_linear(each / 255) for each in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

"""How mails are written: short lines of plain text, each link whole on a line of its own."""

from datetime import UTC, datetime
from textwrap import fill

from app.domain.mail_text import HERE, one_line
from app.domain.sending import Email

LINE = 72
MOST_QUOTED = 600
"""Characters of a text of somebody else's that an e-mail quotes."""
_CLOSE = "Brightlist"
_LINKS = ("http://", "https://", HERE)
_SWITCH_OFF = "You can turn off these e-mails here:"
_SETTINGS = "/account/notifications"


def write_email(to: str, subject: str, *paragraphs: str) -> Email:
    """An e-mail of these paragraphs, of which links are some."""
    return Email(to, subject, "\n\n".join([*map(_folded, paragraphs), _CLOSE]))


def write_notice(to: str, subject: str, *paragraphs: str) -> Email:
    """An e-mail that its reader may do without, and is told how to."""
    end = f"{_SWITCH_OFF}\n{link(_SETTINGS)}"
    return Email(to, subject, "\n\n".join([*map(_folded, paragraphs), _CLOSE, end]))


def link(path: str) -> str:
    """A page of ours; the sender of the e-mail knows where we are."""
    return HERE + path


def quote(text: str, most: int = MOST_QUOTED) -> str:
    """What somebody else wrote, on one line, cut where it goes on for long; it can make no link and no header."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def format_time(moment: datetime) -> str:
    """`21 Nov 2026, 14:02 UTC`."""
    return f"{moment.astimezone(UTC):%-d %b %Y, %H:%M} UTC"


def _folded(paragraph: str) -> str:
    # Short lines travel as they are: a link in a mail that lies in a file can be copied whole.
    if paragraph.startswith(_LINKS):
        return paragraph
    return fill(paragraph, LINE, break_on_hyphens=False)

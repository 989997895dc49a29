"""Writes mails as plain text in short lines, with each link on a line of its own."""

from textwrap import fill

from app.domain.mail_text import BASE_URL_PLACEHOLDER, one_line
from app.domain.sending import Email

LINE = 72
"""The most characters of a line."""
MAX_QUOTED = 600
"""The most characters that are quoted of a text that another person wrote."""
_CLOSE = "Brightlist"
_LINKS = ("http://", "https://", BASE_URL_PLACEHOLDER)
_SWITCH_OFF = "You can turn off these e-mails here:"
_SETTINGS = "/account/notifications"


def write_email(to: str, subject: str, *paragraphs: str) -> Email:
    """An e-mail of these paragraphs. A paragraph that begins with a link is not wrapped."""
    return Email(to, subject, "\n\n".join([*map(_wrap, paragraphs), _CLOSE]))


def write_notice(to: str, subject: str, *paragraphs: str) -> Email:
    """An e-mail of a kind that can be switched off; it ends with a link to the page where users do so."""
    end = f"{_SWITCH_OFF}\n{link(_SETTINGS)}"
    return Email(to, subject, "\n\n".join([*map(_wrap, paragraphs), _CLOSE, end]))


def link(path: str) -> str:
    """A link to a page of the service; BASE_URL_PLACEHOLDER is replaced by its URL when the e-mail is sent."""
    return BASE_URL_PLACEHOLDER + path


def quote(text: str, max_length: int = MAX_QUOTED) -> str:
    """The text of another person on one line, cut to `max_length` characters. It cannot insert a link of ours or a
    header.
    """
    line = one_line(text)
    return line if len(line) <= max_length else line[: max_length - 1].rstrip() + "…"


def _wrap(paragraph: str) -> str:
    # Lines of text are short so that the message needs no encoding, and links can be copied whole from an .eml
    # file.
    if paragraph.startswith(_LINKS):
        return paragraph
    return fill(paragraph, LINE, break_on_hyphens=False)

"""Composes e-mail messages (RFC 5322), the same for every mailer."""

from collections.abc import Sequence
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from app.domain.mail_html import write_html
from app.domain.mail_text import clean, mailbox, one_line
from app.domain.sending import Email, MailNotSentError

# With 7bit, lines that are too long or not ASCII are encoded, so that every mail server can transfer them.
_POLICY = SMTP.clone(cte_type="7bit")
MAX_LINE = 998
"""Longest line of an e-mail, in characters (RFC 5322)."""


class Sender:
    """The sender of all mail, from `Name <local@host>` or the address alone. Raises ValueError for other text."""

    def __init__(self, text: str) -> None:
        # Not parsed by RFC 5322: there the name in `Brightlist, Inc. <hello@example.com>` would need quotes.
        name, _, address = text.strip().removesuffix(">").rpartition("<")
        parts = mailbox(address)
        if parts is None:
            raise ValueError("it is no sender of mail")
        self.host = parts[1]
        self.address = Address(name.strip().strip('"'), *parts)


def compose(email: Email, sender: Sender, mail_id: str, sent_at: datetime) -> EmailMessage:
    """The message, with the same Message-ID at every try.

    Nothing in the e-mail can add a header: its subject is put on one line, and text that looks like an encoded word
    (RFC 2047) is not decoded as one. Raises MailNotSentError, permanent, when the recipient's address is not valid.
    """
    parts = mailbox(email.to)
    if parts is None:
        raise MailNotSentError(f"{email.to!r} is no e-mail address", permanent=True)
    to = Address("", *parts)
    message = EmailMessage(policy=_POLICY.clone(utf8=not to.addr_spec.isascii()))
    message["From"] = sender.address
    message["To"] = to
    message["Subject"] = one_line(email.subject).replace("=?", "= ?")
    message["Date"] = format_datetime(sent_at)
    message["Message-ID"] = f"<{mail_id}@{sender.host}>"
    message["Auto-Submitted"] = "auto-generated"  # so that no out-of-office answers are sent
    text = clean(email.text)
    message.set_content(text, cte="7bit" if _needs_no_encoding(text) else None)
    if email.pictures:
        _add_html(message, text, email.pictures, f"{mail_id}@{sender.host}")
    return message


def _add_html(message: EmailMessage, text: str, pictures: Sequence[bytes], message_id: str) -> None:
    """Add the text as HTML with these pictures, which the message carries itself."""
    ids = [f"{number}.{message_id}" for number in range(1, len(pictures) + 1)]
    message.add_alternative(write_html(text, ids), subtype="html")
    for part in message.iter_parts():
        if isinstance(part, EmailMessage) and part.get_content_type() == "text/html":
            for content, content_id in zip(pictures, ids, strict=True):
                part.add_related(content, "image", "jpeg", cid=f"<{content_id}>", disposition="inline")


def _needs_no_encoding(text: str) -> bool:
    # By default lines of more than 78 characters are encoded; then long links in .eml files would be broken.
    return text.isascii() and max(map(len, text.splitlines()), default=0) <= MAX_LINE

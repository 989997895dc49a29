"""An e-mail as the message that travels, the same whichever way it goes."""

from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from app.domain.mail_text import clean, mailbox, one_line
from app.domain.sending import Email, MailNotSentError

# 7bit: lines that are too long or not ASCII are encoded, so that any server may carry them.
_POLICY = SMTP.clone(cte_type="7bit")
MAX_LINE = 998


class Sender:
    """Who the mail comes from: `Name <local@host>`, or the bare address."""

    def __init__(self, text: str) -> None:
        # Not the grammar of mail: `Brightlist, Inc. <hello@example.com>` would have to be quoted there.
        name, _, address = text.strip().removesuffix(">").rpartition("<")
        parts = mailbox(address)
        if parts is None:
            raise ValueError("it is no sender of mail")
        self.host = parts[1]
        self.address = Address(name.strip().strip('"'), *parts)


def compose(email: Email, sender: Sender, mail_id: str, sent_at: datetime) -> EmailMessage:
    """The message, with the same Message-ID at every try.

    Raises MailNotSentError, permanent, when the e-mail's address is none. Nothing in an e-mail can add a header:
    its subject is put on one line, and what looks like an encoded word of a header stays mere text.
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
    message["Auto-Submitted"] = "auto-generated"  # no out-of-office answers, please
    text = clean(email.text)
    message.set_content(text, cte="7bit" if _travels_as_it_is(text) else None)
    return message


def _travels_as_it_is(text: str) -> bool:
    # Lines longer than are pretty, such as links, stay whole for anyone who reads the message as a file.
    return text.isascii() and max(map(len, text.splitlines()), default=0) <= MAX_LINE

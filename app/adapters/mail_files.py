"""Mail as files in a folder, one .eml file per e-mail, for installations without a mail server."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from app.adapters import private_files
from app.adapters.mail_message import Sender, compose
from app.domain.sending import Email, MailNotSentError


class MailFiles:
    """Implements app.domain.sending.Mailer with a folder. Files are named by time and mail id; only their owner may
    read them.
    """

    def __init__(self, folder: Path, sender: str, clock: Callable[[], datetime]) -> None:
        self._folder, self._sender, self._clock = folder, Sender(sender), clock

    def send(self, email: Email, mail_id: str) -> None:
        """Write the e-mail to a file, which replaces an earlier file of the same mail. Raises MailNotSentError."""
        now = self._clock()
        message = compose(email, self._sender, mail_id, now)
        file = self._folder / f"{now:%Y%m%dT%H%M%SZ}-{mail_id}.eml"
        try:
            earlier = {*self._folder.glob(f"*-{mail_id}.eml")} - {file}
            private_files.replace(file, message.as_bytes())
            for path in earlier:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise MailNotSentError(f"the mail folder cannot be written: {error}") from error

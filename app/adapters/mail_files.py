"""Mail into a folder, one .eml file an e-mail: for set-ups without a mail server."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from app.adapters import private_files
from app.adapters.mail_message import Sender, compose
from app.domain.sending import Email, MailNotSentError


class MailFiles:
    """The mailer port over a folder; files are named by time and mail id, and only the owner may read them."""

    def __init__(self, folder: Path, sender: str, clock: Callable[[], datetime]) -> None:
        self._folder, self._sender, self._clock = folder, Sender(sender), clock

    def send(self, email: Email, mail_id: str) -> None:
        """Write the e-mail down, in place of the same mail's earlier file. Raises MailNotSentError."""
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

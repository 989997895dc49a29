"""Mail into a folder, one .eml file an e-mail: for set-ups without a mail server."""

import os
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

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
        try:
            self._write(f"{now:%Y%m%dT%H%M%SZ}-{mail_id}.eml", mail_id, message.as_bytes())
        except OSError as error:
            raise MailNotSentError(f"the mail folder cannot be written: {error}") from error

    def _write(self, name: str, mail_id: str, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        earlier = [path for path in self._folder.iterdir() if path.name.endswith(f"-{mail_id}.eml")]
        descriptor, aside = tempfile.mkstemp(".part", ".", self._folder)  # 0600 from the start
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).replace(self._folder / name)
        finally:
            Path(aside).unlink(missing_ok=True)
        for path in earlier:
            if path.name != name:
                path.unlink(missing_ok=True)

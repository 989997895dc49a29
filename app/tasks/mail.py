"""RQ's entry point for one mail: the id comes in, nothing goes out."""

from app.tasks.runtime import container


def send_mail(mail_id: str) -> None:
    """Make one try to send the mail."""
    container().mail_worker.send(mail_id)

"""The function that RQ calls for one mail, with its id."""

from app.tasks.runtime import container


def send_mail(mail_id: str) -> None:
    """Try once to send the mail."""
    container().mail_worker.send(mail_id)

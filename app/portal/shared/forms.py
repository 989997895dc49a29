"""The forms of a client's page, without a session: their token stands in the page, see shared_blueprint.py."""

from typing import Any

from wtforms import BooleanField, EmailField, Form, RadioField, StringField, TextAreaField

from app.domain.shares import ShareVerdict
from app.models import ShareComment, ShareLink
from app.portal.forms import clean_line, clean_text


class CommentForm(Form):
    """What is said of one picture."""

    favorite = BooleanField("A favorite")
    comment = TextAreaField("Comment (optional)", filters=[clean_text])


class ClientAnswerForm(Form):
    """What is said of all of them."""

    verdict = RadioField(
        "Your answer",
        choices=[
            (ShareVerdict.APPROVED.value, "I approve all pictures"),
            (ShareVerdict.CHANGES_REQUESTED.value, "I ask for changes"),
        ],
        validate_choice=False,
    )
    message = TextAreaField("Message", filters=[clean_text])
    name = StringField("Your name (optional)", filters=[clean_line])
    email = EmailField("Your e-mail address (optional)", filters=[clean_line])


def fill_comment(said: ShareComment | None) -> CommentForm:
    """As it stands: with what was said before."""
    values: dict[str, Any] = {"favorite": said.favorite, "comment": said.text} if said else {}
    return CommentForm(data=values)


def fill_answer(link: ShareLink) -> ClientAnswerForm:
    """As it stands: with what was said before."""
    said = link.response
    if said is None:
        return ClientAnswerForm()
    values = {"verdict": said.verdict.value, "message": said.message, "name": said.name, "email": said.email}
    return ClientAnswerForm(data=values)

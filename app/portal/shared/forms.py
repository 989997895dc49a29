"""The forms of a client's page. There is no session: the page holds their CSRF token, see shared_blueprint.py."""

from typing import Any

from wtforms import BooleanField, EmailField, Form, RadioField, StringField, TextAreaField

from app.domain.shares import ShareVerdict
from app.models import ShareComment, ShareLink
from app.portal.forms import clean_line, clean_text


class CommentForm(Form):
    """The client's comment on one picture."""

    favorite = BooleanField("A favorite")
    comment = TextAreaField("Comment (optional)", filters=[clean_text])


class ClientAnswerForm(Form):
    """The client's answer about all pictures."""

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
    """The form with the client's earlier comment, if there is one."""
    values: dict[str, Any] = {"favorite": said.favorite, "comment": said.text} if said else {}
    return CommentForm(data=values)


def fill_answer(link: ShareLink) -> ClientAnswerForm:
    """The form with the client's earlier answer, if there is one."""
    said = link.response
    if said is None:
        return ClientAnswerForm()
    values = {"verdict": said.verdict.value, "message": said.message, "name": said.name, "email": said.email}
    return ClientAnswerForm(data=values)

"""The forms to invite a member and to change a role."""

from flask_wtf import FlaskForm
from wtforms import RadioField
from wtforms.validators import AnyOf

from app.domain.roles import Role
from app.portal.account_forms import AccountForm, email_field, name_field, new_password_field

_CHOOSE = "Choose a role."


def _role_field() -> RadioField:
    return RadioField("Role", [AnyOf([role.value for role in Role], _CHOOSE)], validate_choice=False)


class InvitationForm(AccountForm):
    """The person to invite, and the role."""

    email = email_field()
    role = _role_field()


class RoleForm(FlaskForm):
    """The new role of a member."""

    role = _role_field()


class NewcomerForm(AccountForm):
    """Name and password of an invited person who has no account."""

    name = name_field()
    password = new_password_field(lambda form: form.address)

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

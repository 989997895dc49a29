"""Mails about users and their accounts: addresses, passwords, two-factor sign-in, new browsers, deletion."""

from datetime import datetime

from app.domain.dates import format_time
from app.domain.emails.writing import link, quote, write_email, write_notice
from app.domain.links import VALID_FOR, LinkPurpose
from app.domain.sending import Email
from app.domain.team import INVITATION_VALID_FOR

_MAX_DEVICE = 100
_NOT_YOU = (
    "If it was not you, choose a new password at once (Forgot your password? on the sign-in page) and check the "
    "list of signed-in browsers."
)


def confirm_address(to: str, url: str) -> Email:
    """The mail sent when somebody signed up with this address. It does not contain the typed name, which a stranger
    could misuse for a message.
    """
    return write_email(
        to,
        "Confirm your e-mail address",
        "Someone, probably you, created a Brightlist account with this address. Open this page to confirm it:",
        url,
        f"The link is valid for {_valid(LinkPurpose.CONFIRM)} and works once. If it was not you, do nothing: "
        "without the link nobody can use the account.",
    )


def has_account(to: str, sign_in_url: str, reset_url: str) -> Email:
    """The mail sent when somebody tried to sign up with an address that already has an account."""
    return write_email(
        to,
        "You have an account already",
        "Someone, probably you, tried to create an account at Brightlist with this address. You have one already; "
        "nothing was changed. Sign in here:",
        sign_in_url,
        "If you forgot your password, choose a new one here:",
        reset_url,
        "If it was not you, do nothing.",
    )


def choose_password(to: str, url: str) -> Email:
    """The mail sent when somebody asked for a new password."""
    return write_email(
        to,
        "Choose a new password",
        "Someone, probably you, asked for a new password at Brightlist. Choose it on this page:",
        url,
        f"The link is valid for {_valid(LinkPurpose.RESET)} and works once. If it was not you, do nothing: your "
        "password stays as it is.",
    )


def password_changed(to: str) -> Email:
    """The mail sent when the password was changed."""
    return write_email(
        to,
        "Your password was changed",
        "The password of your account at Brightlist was changed just now, and every other browser was signed out.",
        _NOT_YOU,
    )


def new_address(to: str, url: str) -> Email:
    """The mail sent to the new address of an account, to confirm it."""
    return write_email(
        to,
        "Confirm your new e-mail address",
        "Someone, probably you, wants to use this address for an account at Brightlist. Open this page to confirm "
        "it:",
        url,
        f"The link is valid for {_valid(LinkPurpose.CHANGE_EMAIL)} and works once. If it was not you, do nothing.",
    )


def new_address_taken(to: str) -> Email:
    """The mail sent to the address that an account asked to change to, where that address has an account
    already.
    """
    return write_email(
        to,
        "This address has an account already",
        "Someone, probably you, wants to use this address for another account at Brightlist. It has one already, "
        "and an address can have only one, so nothing was changed.",
    )


def address_changing(to: str, new: str) -> Email:
    """The mail sent to the old address when somebody asked to change it."""
    return write_email(
        to,
        "Your e-mail address is about to change",
        "Someone, probably you, asked to change the address of your account at Brightlist from this one to "
        f"{quote(new)}. It changes when the link sent to the new address is opened.",
        _NOT_YOU,
    )


def two_factor(to: str, on: bool) -> Email:
    """The mail sent when two-factor sign-in was switched on or off."""
    change = "on: signing in asks for a code from your app" if on else "off: signing in asks only for your password"
    return write_email(
        to,
        f"Two-factor sign-in is {'on' if on else 'off'}",
        f"Two-factor sign-in for your account at Brightlist was turned {change} from now on.",
        _NOT_YOU,
    )


def recovery_code_used(to: str, left: int) -> Email:
    """The mail sent when a recovery code was used instead of a code of the app; `left`: how many are left."""
    rest = "One is left" if left == 1 else f"{left} are left" if left else "None is left"
    return write_email(
        to,
        "A recovery code was used",
        "Someone, probably you, used a recovery code of your account at Brightlist in place of the app. "
        f"{rest}; you can have new ones made on your security page.",
        _NOT_YOU,
    )


def new_sign_in(to: str, device: str, address: str, signed_in_at: datetime) -> Email:
    """The mail sent when a user signed in with a browser, or from a network, that is not known for the user."""
    where = f" from the address {quote(address, _MAX_DEVICE)}" if address else ""
    return write_notice(
        to,
        f"New sign-in: {quote(device, _MAX_DEVICE)}",
        "Someone, probably you, signed in to your account at Brightlist with a new browser or from a new network: "
        f"{quote(device, _MAX_DEVICE)}{where}, on {format_time(signed_in_at)}.",
        "If it was you, there is nothing to do. If not, choose a new password at once, and sign that browser out "
        "here:",
        link("/account/security"),
    )


def invitation(to: str, url: str, inviter: str, role: str) -> Email:
    """The mail that invites somebody to an account. It names only the address of the inviter, which is confirmed: a
    name might be a message to strangers.
    """
    days = INVITATION_VALID_FOR.days
    return write_email(
        to,
        "You are invited to an account",
        f"{quote(inviter)} invites you to their account at Brightlist, with the role {role}. Open this page to "
        "join:",
        url,
        f"The link is valid for {days} days and works once. If you do not know the sender, do nothing.",
    )


def member_removed(to: str, organization: str) -> Email:
    """The mail sent to a member who was removed from an account."""
    return write_email(
        to,
        "You no longer belong to an account",
        f"You were removed from the account of {quote(organization)} at Brightlist. You were signed out of it, and "
        "API keys that you made for it no longer work. You can still sign in to your other accounts; without one, "
        "you have an empty account of your own.",
    )


def account_deleted(to: str) -> Email:
    """The mail sent when the account was deleted."""
    return write_email(
        to,
        "Your account is deleted",
        "Your account at Brightlist is deleted, as you asked: name, address, pictures, keys and webhooks are "
        "deleted or will be soon. Only the ledger of credits stays, because bookkeeping requires it.",
        "This is the last e-mail we send you. Thank you for using Brightlist.",
    )


def _valid(purpose: LinkPurpose) -> str:
    hours = round(VALID_FOR[purpose].total_seconds() / 3600)
    if hours == 1:
        return "one hour"
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours"

"""Every mail the service writes, in plain words."""

from textwrap import fill
from urllib.parse import urlsplit

from app.domain.links import HOLDS, LinkPurpose
from app.domain.sending import Letter
from app.domain.webhooks import HELD_KEPT, KEPT, OFF_AFTER

_CLOSE = "\n\nBrightlist"
_NOT_YOU = (
    "If it was not you, choose a new password at once (Forgot your password? on the sign-in page) and look at the "
    "list of browsers that are signed in."
)
LINE = 72


def _host(url: str) -> str:
    # The path may carry a secret of the receiver's own; mail is no place for it.
    return urlsplit(url).hostname or "?"


def webhook_fails(to: str, webhook_id: str, url: str, failed: int, why: str) -> Letter:
    """Deliveries to a webhook fail; it is still on."""
    many = "A delivery" if failed == 1 else f"{failed} deliveries"
    return Letter(
        to,
        f"Webhook deliveries to {_host(url)} fail",
        f"{many} to your webhook {webhook_id} at {_host(url)} failed for good, after every retry. "
        f"The last attempt ended like this: {why}\n\n"
        f"Nothing is lost: failed deliveries stay in the log for {KEPT.days} days and can be sent again from "
        "there.\n\n"
        f"If nothing succeeds for {OFF_AFTER.days} days, the webhook is switched off." + _CLOSE,
    )


def webhook_off(to: str, webhook_id: str, url: str, reason: str) -> Letter:
    """A webhook was switched off by the service."""
    return Letter(
        to,
        f"Your webhook at {_host(url)} is switched off",
        f"We switched your webhook {webhook_id} at {_host(url)} off. {reason}\n\n"
        f"New events are held for you, for {HELD_KEPT.days} days. When the receiver is well again, switch the "
        "webhook on and release what is held; failed deliveries can be sent again from the log." + _CLOSE,
    )


def confirm_address(to: str, url: str) -> Letter:
    """Somebody signed up with this address. What they wrote themselves stays out: it may be no friend."""
    return _letter(
        to,
        "Confirm your e-mail address",
        "Somebody, probably you, opened an account at Brightlist with this address. Open this page to confirm it:",
        url,
        f"The link holds {_holds(LinkPurpose.CONFIRM)} and works once. If it was not you, do nothing: without the "
        "link nobody can use the account.",
    )


def has_account(to: str, sign_in_url: str, reset_url: str) -> Letter:
    """Somebody tried to sign up with an address that has an account."""
    return _letter(
        to,
        "You have an account already",
        "Somebody, probably you, tried to open an account at Brightlist with this address. You have one already; "
        "nothing was changed. Sign in here:",
        sign_in_url,
        "If you forgot your password, choose a new one here:",
        reset_url,
        "If it was not you, do nothing.",
    )


def choose_password(to: str, url: str) -> Letter:
    """Somebody asked for a new password."""
    return _letter(
        to,
        "Choose a new password",
        "Somebody, probably you, asked for a new password at Brightlist. Choose it on this page:",
        url,
        f"The link holds {_holds(LinkPurpose.RESET)} and works once. If it was not you, do nothing: your password "
        "stays as it is.",
    )


def password_changed(to: str) -> Letter:
    """The account has another password."""
    return _letter(
        to,
        "Your password was changed",
        "The password of your account at Brightlist was changed just now, and every other browser was signed out.",
        _NOT_YOU,
    )


def new_address(to: str, url: str) -> Letter:
    """An account wants to be reached here from now on."""
    return _letter(
        to,
        "Confirm your new e-mail address",
        "Somebody, probably you, wants to use this address for an account at Brightlist. Open this page to confirm "
        "it:",
        url,
        f"The link holds {_holds(LinkPurpose.CHANGE_EMAIL)} and works once. If it was not you, do nothing.",
    )


def new_address_taken(to: str) -> Letter:
    """An account wants to move to an address that has one."""
    return _letter(
        to,
        "This address has an account already",
        "Somebody, probably you, wants to use this address for another account at Brightlist. It has one already, "
        "and an address can have but one, so nothing was changed.",
    )


def address_changing(to: str, new: str) -> Letter:
    """The account is about to be reached elsewhere."""
    return _letter(
        to,
        "Your e-mail address is about to change",
        "Somebody, probably you, asked to change the address of your account at Brightlist from this one to "
        f"{new}. It changes when the link sent to the new address is opened.",
        _NOT_YOU,
    )


def two_factor(to: str, on: bool) -> Letter:
    """Signing in asks for a code from now on, or no longer does."""
    told = "on: signing in asks for a code from your app" if on else "off: signing in asks for your password alone"
    return _letter(
        to,
        f"Two-factor sign-in is {'on' if on else 'off'}",
        f"Two-factor sign-in for your account at Brightlist was switched {told} from now on.",
        _NOT_YOU,
    )


def recovery_code_used(to: str, left: int) -> Letter:
    """A recovery code stood in for the app."""
    many = "One is left" if left == 1 else f"{left} are left" if left else "None is left"
    return _letter(
        to,
        "A recovery code was used",
        "Somebody, probably you, used a recovery code of your account at Brightlist in place of the app. "
        f"{many}; you can have new ones made on your security page.",
        _NOT_YOU,
    )


def account_deleted(to: str) -> Letter:
    """The last mail to an account."""
    return _letter(
        to,
        "Your account is deleted",
        "Your account at Brightlist is deleted, as you asked: name, address, pictures, keys and webhooks are gone "
        "or on their way out. Only the list of credits charged and refunded stays, because bookkeeping must keep "
        "it.",
        "This is the last mail we send you. Thank you for having been here.",
    )


def _letter(to: str, subject: str, *paragraphs: str) -> Letter:
    # Short lines travel as they are: a link in a mail that lies in a file can be copied whole.
    lines = [fill(each, LINE, break_long_words=False, break_on_hyphens=False) for each in paragraphs]
    return Letter(to, subject, "\n\n".join(lines) + _CLOSE)


def _holds(purpose: LinkPurpose) -> str:
    hours = round(HOLDS[purpose].total_seconds() / 3600)
    if hours == 1:
        return "one hour"
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours"

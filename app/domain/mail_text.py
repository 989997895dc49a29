"""Addresses and text for mail: which addresses mail servers accept, and text that every mail program can show."""

import re
import unicodedata

# No characters that could end the address or the header early, and no quoted local parts.
_LOCAL = re.compile(r'[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff()<>\[\]:;@\\,"]+')
_LABEL = r"[^\W_]([^\W_]|-)*"
MAX_LABEL, MAX_HOST = 63, 253
BASE_URL_PLACEHOLDER = "\ufdd0"
"""The placeholder for the URL of the service in the text of an e-mail, replaced when the e-mail is sent. It is a
noncharacter of Unicode, which no text contains, and one_line() removes it.
"""
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def mailbox(address: str) -> tuple[str, str] | None:
    """The local part and the host, in ASCII (punycode), of an address without a name; None for other text."""
    local, _, written = address.rpartition("@")
    host = unicodedata.normalize("NFKC", written).lower()
    if not _LOCAL.fullmatch(local) or not _HOST.fullmatch(host):
        return None
    labels = [_to_ascii(label) for label in host.split(".")]
    if max(map(len, labels)) > MAX_LABEL or len(".".join(labels)) > MAX_HOST:
        return None
    return local, ".".join(labels)


def _to_ascii(label: str) -> str:
    # Python's codec "idna" is not used, because by its older rules the mail for straße.example would be sent to
    # strasse.example.
    return label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"


def clean(text: str) -> str:
    """The text with spaces instead of control characters (except tabs and line ends) and surrogates."""
    plain = text.replace("\r\n", "\n")
    return "".join(each if each in "\n\t" or not _is_control(each) else " " for each in plain)


def one_line(text: str) -> str:
    """The clean text on one line. It cannot end a header, or insert a URL of the service (BASE_URL_PLACEHOLDER)."""
    return " ".join(clean(text).replace(BASE_URL_PLACEHOLDER, " ").split())


def render(text: str, base_url: str) -> str:
    """The text of an e-mail with the service's URL instead of BASE_URL_PLACEHOLDER."""
    return text.replace(BASE_URL_PLACEHOLDER, base_url.rstrip("/"))


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs")

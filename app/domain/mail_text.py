"""What may stand in a mail: addresses it can be handed over for, and text that every mail program takes."""

import re
import unicodedata

# What would end the address, or the header it stands in, somewhere else than the eye sees: no quoted local parts.
_LOCAL = re.compile(r'[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff()<>\[\]:;@\\,"]+')
_LABEL = r"[^\W_]([^\W_]|-)*"
MAX_LABEL, MAX_HOST = 63, 253
HERE = "\ufdd0"
"""Stands in an e-mail for the address of the service, which is written out when the e-mail is sent. Unicode keeps
this character for such uses: no text holds it, and one_line() lets none through.
"""
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def mailbox(address: str) -> tuple[str, str] | None:
    """The local part and the host of a bare address, the host in its ASCII form; None when it is no address."""
    local, _, written = address.rpartition("@")
    host = unicodedata.normalize("NFKC", written).lower()
    if not _LOCAL.fullmatch(local) or not _HOST.fullmatch(host):
        return None
    labels = [_travelling(label) for label in host.split(".")]
    if max(map(len, labels)) > MAX_LABEL or len(".".join(labels)) > MAX_HOST:
        return None
    return local, ".".join(labels)


def _travelling(label: str) -> str:
    # Not Python's own codec: by the older rules it knows, strasse.example would get the mail for straße.example.
    return label if label.isascii() else f"xn--{label.encode('punycode').decode('ascii')}"


def clean(text: str) -> str:
    """The text, a space in place of every control character but tabs and line ends, and of lone surrogates."""
    plain = text.replace("\r\n", "\n")
    return "".join(each if each in "\n\t" or not _is_control(each) else " " for each in plain)


def one_line(text: str) -> str:
    """The clean text on one line: nothing in it can end a header, or be taken for an address of ours."""
    return " ".join(clean(text).replace(HERE, " ").split())


def render(text: str, base_url: str) -> str:
    """The text of an e-mail with the service's own address where it stands for it."""
    return text.replace(HERE, base_url.rstrip("/"))


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs")

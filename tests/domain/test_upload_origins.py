"""Origins are read as browsers write them; what is no exact origin is refused."""

import pytest

from app.domain.errors import InvalidRequest
from app.domain.upload_origins import MAX_ORIGINS, read_origins


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("", []),
        (" \n\t", []),
        ("https://app.example.com", ["https://app.example.com"]),
        ("HTTPS://App.Example.COM/", ["https://app.example.com"]),
        ("https://app.example:443 https://app.example", ["https://app.example"]),
        ("https://app.example:8443", ["https://app.example:8443"]),
        ("http://localhost:80 http://127.0.0.1:5173", ["http://localhost", "http://127.0.0.1:5173"]),
        ("https://xn--bcher-kva.example", ["https://xn--bcher-kva.example"]),
        ("\n".join(f"https://{n}.example" for n in range(MAX_ORIGINS)), None),
    ],
)
def test_origins_are_read_each_once_and_as_browsers_write_them(typed: str, read: list[str] | None) -> None:
    assert read_origins(typed) == (typed.split() if read is None else read)


@pytest.mark.parametrize(
    "typed",
    [
        "*",
        "null",
        "app.example.com",
        "https://*.example.com",
        "https://app.example/upload",
        "https://app.example//",
        "https://app.example?x",
        "https://app.example#x",
        "https://user@app.example",
        "https://app.example:0",
        "https://app.example:65536",
        "https://app.example:",
        "https://app.example.",
        "https://-app.example",
        "https://bücher.example",
        "https://app.example\x00",
        "https://[::1]:8443",
        "http://app.example",
        "http://localhost.example",
        "ftp://localhost",
        "file:///tmp",
        f"https://{'a' * 64}.example",
        "https://" + "a." * 127 + "example",
        "\n".join(f"https://{n}.example" for n in range(MAX_ORIGINS + 1)),
        "https://app.example " * 100_000,
    ],
)
def test_what_is_no_exact_origin_is_refused(typed: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_origins(typed)
    assert len(str(refused.value.details)) < 500

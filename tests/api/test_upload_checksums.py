"""A file that comes with a checksum is kept only if it has it."""

import hashlib
from base64 import b64encode

import pytest
import requests

from app.container import Container
from app.models import AccountUse
from tests.conformance.shapes import stored_files
from tests.conformance.streams import fresh_url
from tests.conftest import PHOTO, Api
from tests.s3_servers import S3Server
from tests.waiting import PATIENCE_SECONDS

FILE = PHOTO + bytes(600_000)
"""More than is read at a time."""
DAMAGED = FILE[:-1] + b"\1"
DIGESTS = {"Content-MD5": "md5", "x-amz-checksum-sha256": "sha256"}


def checksum(header: str, content: bytes) -> str:
    return b64encode(hashlib.new(DIGESTS[header], content).digest()).decode()


def held(container: Container, api: Api) -> int:
    """The bytes that the account's quota counts."""
    with container.database.read_session() as session:
        use = session.get(AccountUse, api.account_id)
        return use.held_bytes if use else 0


@pytest.mark.parametrize("header", DIGESTS)
def test_a_damaged_file_is_refused_and_the_same_url_takes_the_whole_one(
    api: Api, container: Container, header: str
) -> None:
    url, sent = fresh_url(api), checksum(header, FILE)
    refused = api.put(url, DAMAGED, headers={header: sent})
    assert (refused.status_code, refused.json["code"]) == (400, "checksum_mismatch")
    assert refused.json["details"] == {"header": header, "sent": sent, "computed": checksum(header, DAMAGED)}
    assert (stored_files(container), held(container, api)) == ([], 0)
    assert api.put(url, FILE, headers={header: f" {sent} "}).status_code == 200
    # What came whole is not replaced by what comes damaged.
    assert api.put(url, DAMAGED, headers={header: sent}).status_code == 400
    (path,) = stored_files(container)
    assert (container.settings.storage_path / path).read_bytes() == FILE
    assert held(container, api) == len(FILE)


def test_of_several_checksums_each_counts(api: Api) -> None:
    url, right = fresh_url(api), {header: checksum(header, FILE) for header in DIGESTS}
    for header in DIGESTS:
        refused = api.put(url, FILE, headers={**right, header: checksum(header, DAMAGED)})
        assert (refused.status_code, refused.json["details"]["header"]) == (400, header)
    assert api.put(url, FILE, headers=right).status_code == 200


def test_a_malformed_checksum_is_named_whatever_the_file(api: Api, container: Container) -> None:
    url = fresh_url(api)
    right = checksum("Content-MD5", FILE)
    for malformed in ("", "x", "ü", hashlib.md5(FILE).hexdigest(), f"{right},{right}", right[:-1], f"{right}AAAA"):
        refused = api.put(url, FILE, headers=dict.fromkeys(DIGESTS, malformed))
        assert (refused.status_code, refused.json["code"]) == (400, "invalid_request"), malformed
        assert refused.json["details"]["Content-MD5"].startswith("Must be base64 of the 16 bytes"), malformed
        assert refused.json["details"]["x-amz-checksum-sha256"].startswith("Must be base64 of the 32"), malformed
    assert (stored_files(container), held(container, api)) == ([], 0)


def test_a_bucket_checks_the_md5_itself_and_no_other_is_sent_past_it(direct: S3Server, api: Api) -> None:
    url, right = fresh_url(api), checksum("Content-MD5", FILE)

    def put(content: bytes, **headers: str) -> requests.Response:
        return requests.put(url, data=content, headers=headers, timeout=PATIENCE_SECONDS)

    damaged = put(DAMAGED, **{"Content-MD5": right})
    assert (damaged.status_code, "BadDigest" in damaged.text) == (400, True)
    # Refused because it is not signed: never taken for checked.
    assert put(FILE, **{"x-amz-checksum-sha256": checksum("x-amz-checksum-sha256", DAMAGED)}).status_code == 403
    assert direct.names() == []
    assert put(FILE, **{"Content-MD5": right}).status_code == 200

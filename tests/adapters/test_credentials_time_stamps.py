"""Time stamps of signed pictures: asked of an authority that openssl plays, and of some that give none."""

import io
import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import c2pa
import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from app import metrics
from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import SigningIdentity, keep_demo_identity
from app.domain.content_credentials import CredentialKind, ParentPicture, PictureClaim
from engine.types.media import MediaType
from tests import receivers
from tests.certificates import CertificateAuthority, key_pem, new_key
from tests.receivers import Handler, Visit
from tests.scenes import encoded, room

CLAIM = PictureClaim("Enhanced photo", ParentPicture("Original photo", MediaType.JPEG, "ab" * 32), [])
CONFIGURATION = """
[tsa]
default_tsa = here
[here]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
certs = {folder}/chain.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256,sha384,sha512
ess_cert_id_alg = sha256
"""


@pytest.fixture
def identity(tmp_path: Path) -> SigningIdentity:
    return keep_demo_identity(tmp_path / "demo.pem", datetime.now(UTC))


def counted(outcome: str) -> float:
    return metrics.REGISTRY.get_sample_value("brightlist_content_credentials_total", {"outcome": outcome}) or 0


def signed_by(identity: SigningIdentity, tsa_url: str) -> bytes:
    signer = C2paCredentials(CredentialKind.DEMO, identity, "1", tsa_url)
    return signer.sign(encoded(room()), "image/jpeg", CLAIM)


def signature_of(content: bytes) -> dict[str, str]:
    with c2pa.Reader("image/jpeg", io.BytesIO(content)) as reader:
        assert reader.get_validation_state() == "Valid"
        told = json.loads(reader.json())
    found: dict[str, str] = told["manifests"][told["active_manifest"]]["signature_info"]
    return found


def authority(folder: Path) -> Callable[[Visit], None]:
    """Answers as a time stamping authority does, by openssl."""
    key, time_stamping = new_key(), [ExtendedKeyUsageOID.TIME_STAMPING]
    chain = CertificateAuthority().certify(key, usages=time_stamping, name="Time of the tests", critical=True)
    (folder / "tsa.pem").write_bytes(chain)
    (folder / "chain.pem").write_bytes(chain)
    (folder / "tsa.key").write_bytes(key_pem(key))
    (folder / "tsa.cnf").write_text(CONFIGURATION.format(folder=folder))
    (folder / "serial").write_text("01")

    def stamp(visit: Visit) -> None:
        (folder / "query").write_bytes(visit.read_request().body)
        command = ("openssl", "ts", "-reply", "-config", folder / "tsa.cnf", "-queryfile", folder / "query")
        reply = subprocess.run([*command, "-out", folder / "reply"], capture_output=True, check=False)
        assert reply.returncode == 0, reply.stderr
        body = (folder / "reply").read_bytes()
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: application/timestamp-reply\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        visit.say(head.encode(), body)

    return stamp


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl plays the authority")
def test_a_picture_bears_the_time_that_an_authority_stamps(identity: SigningIdentity, tmp_path: Path) -> None:
    before = counted("signed")
    with receivers.running(authority(tmp_path)) as tsa:
        signature = signature_of(signed_by(identity, tsa.url))
        (request,) = tsa.requests
    assert request.header("content-type") == "application/timestamp-query"
    stamped = datetime.fromisoformat(signature["time"])
    assert abs(datetime.now(UTC) - stamped) < timedelta(minutes=5)
    assert counted("signed") == before + 1


@pytest.mark.parametrize(
    "handler",
    [receivers.answering(503), receivers.answering(200, body=b"no time stamp"), receivers.closing_at_once],
    ids=["away", "nonsense", "hangs up"],
)
def test_without_its_answer_the_picture_is_signed_without_a_time(
    identity: SigningIdentity, handler: Handler, caplog: pytest.LogCaptureFixture
) -> None:
    before = counted("untimed")
    with receivers.running(handler) as tsa:
        signature = signature_of(signed_by(identity, tsa.url))
    assert "time" not in signature
    assert counted("untimed") == before + 1
    assert "without a time stamp" in caplog.text


def test_an_authority_can_send_nobody_elsewhere(identity: SigningIdentity) -> None:
    with (
        receivers.running(receivers.answering(200)) as inside,
        receivers.running(receivers.redirecting(307, inside.url)) as tsa,
    ):
        assert "time" not in signature_of(signed_by(identity, tsa.url))
        assert len(tsa.requests) == 1
        assert inside.connections == 0

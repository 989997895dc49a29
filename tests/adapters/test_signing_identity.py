"""The certificate and key that sign pictures: what is taken, what is refused in which words, and the demo's."""

import re
import stat
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import IdentityError, SigningIdentity, keep_demo_identity, read_identity
from app.domain.content_credentials import CredentialKind, SigningError
from tests.adapters.test_content_credentials import claim, read
from tests.certificates import CertificateAuthority, key_pem, new_key
from tests.scenes import encoded, house

NOW = datetime.now(UTC)
KEYS: dict[str, Callable[[], object]] = {
    "es256": new_key,
    "es384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "es512": lambda: ec.generate_private_key(ec.SECP521R1()),
    "ps256": lambda: rsa.generate_private_key(65537, 2048),
    "ed25519": ed25519.Ed25519PrivateKey.generate,
}


def kept(folder: Path, chain: bytes, key: bytes) -> SigningIdentity:
    (folder / "chain.pem").write_bytes(chain)
    (folder / "key.pem").write_bytes(key)
    return read_identity(folder / "chain.pem", folder / "key.pem", NOW)


@pytest.mark.parametrize("algorithm", KEYS)
def test_every_kind_of_key_that_c2pa_knows_signs_pictures_that_are_valid(algorithm: str, tmp_path: Path) -> None:
    key = KEYS[algorithm]()
    identity = kept(tmp_path, CertificateAuthority().certify(key), key_pem(key))
    assert identity.algorithm.decode() == algorithm
    signer = C2paCredentials(CredentialKind.CERTIFICATE, identity, "1", None)
    state, failures, told = read(signer.sign(encoded(house()), "image/jpeg", claim()))
    assert (state, failures) == ("Valid", ["signingCredential.untrusted"])
    assert told["manifests"][told["active_manifest"]]["signature_info"]["issuer"] == "Tests"


def test_it_ends_when_the_first_of_its_certificates_does(tmp_path: Path) -> None:
    key, ends = new_key(), NOW.replace(microsecond=0) + timedelta(days=20)
    identity = kept(tmp_path, CertificateAuthority().certify(key, ends_at=ends), key_pem(key))
    assert identity.expires_at == ends


def _of_another_key(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    return CertificateAuthority().certify(key), key_pem(new_key())


def _ended(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    return CertificateAuthority().certify(key, ends_at=NOW - timedelta(days=1)), key_pem(key)


def _self_signed(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    return CertificateAuthority(key=key).certificate, key_pem(key)


def _wrong_order(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    whole = CertificateAuthority().certify(key)
    leaf = whole[: whole.index(b"-----END CERTIFICATE-----\n") + len(b"-----END CERTIFICATE-----\n")]
    return leaf + CertificateAuthority(name="Another").certificate, key_pem(key)


def _no_certificate(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    return b"a letter", key_pem(key)


def _no_key(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    return CertificateAuthority().certify(key), b"a letter"


def _odd_curve(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    odd = ec.generate_private_key(ec.SECP256K1())
    return CertificateAuthority().certify(odd), key_pem(odd)


def _odd_kind(key: ec.EllipticCurvePrivateKey) -> tuple[bytes, bytes]:
    odd = dsa.generate_private_key(2048)
    return CertificateAuthority().certify(odd), key_pem(odd)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_of_another_key, "key.pem is not that of the first certificate in .*chain.pem"),
        (_ended, "a certificate in .*chain.pem holds from .* to .* only"),
        (_self_signed, "vouches for itself"),
        (_wrong_order, "not in order"),
        (_no_certificate, "chain.pem holds no certificate"),
        (_no_key, "key.pem holds no private key"),
        (_odd_curve, "secp256k1"),
        (_odd_kind, "of a kind that C2PA does not know"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
def test_what_nothing_can_be_signed_with_is_refused_in_words(
    make: Callable[[ec.EllipticCurvePrivateKey], tuple[bytes, bytes]], words: str, tmp_path: Path
) -> None:
    with pytest.raises(IdentityError) as refusal:
        kept(tmp_path, *make(new_key()))
    assert re.search(words, str(refusal.value))
    assert "PRIVATE" not in str(refusal.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match=r"nowhere\.pem cannot be read \(No such file"):
        read_identity(tmp_path / "nowhere.pem", tmp_path / "key.pem", NOW)


def test_a_certificate_for_something_else_is_refused_by_the_library(tmp_path: Path) -> None:
    key = new_key()
    servers = [ExtendedKeyUsageOID.SERVER_AUTH]
    identity = kept(tmp_path, CertificateAuthority().certify(key, usages=servers), key_pem(key))
    with pytest.raises(SigningError):
        C2paCredentials(CredentialKind.CERTIFICATE, identity, "1", None)


def test_no_key_shows_where_an_identity_is_printed(tmp_path: Path) -> None:
    identity = keep_demo_identity(tmp_path / "demo.pem", NOW)
    assert "PRIVATE" not in repr(C2paCredentials(CredentialKind.DEMO, identity, "1", None))


def test_the_demo_makes_its_own_once_for_this_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "credentials" / "demo.pem"
    first = keep_demo_identity(file, NOW)
    assert keep_demo_identity(file, NOW).key == first.key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [each.name for each in file.parent.iterdir()] == ["demo.pem"]
    leaf, authority = x509.load_pem_x509_certificates(file.read_bytes())
    assert file.read_bytes().count(b"PRIVATE KEY") == 2
    assert "not trusted" in leaf.subject.rfc4514_string()
    assert "not trusted" in authority.subject.rfc4514_string()


def test_processes_that_start_at_once_have_one_demo_certificate(tmp_path: Path) -> None:
    file, together, keys = tmp_path / "credentials" / "demo.pem", threading.Barrier(8), []

    def start() -> None:
        together.wait()
        keys.append(keep_demo_identity(file, NOW).key)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1


def test_a_demo_certificate_that_is_broken_or_over_says_how_to_have_a_new_one(tmp_path: Path) -> None:
    file = tmp_path / "demo.pem"
    keep_demo_identity(file, NOW)
    with pytest.raises(IdentityError, match=r"remove that file"):
        keep_demo_identity(file, NOW + timedelta(days=3651))
    file.write_bytes(b"")
    with pytest.raises(IdentityError, match=r"remove that file"):
        keep_demo_identity(file, NOW)

"""The key and certificates that content credentials are signed with: the operator's, or the demo's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from app.adapters import private_files

EXPIRES_SOON = timedelta(days=30)
"""How long before a certificate expires the service begins to warn of it."""
DEMO_DAYS = 3650
_EC_ALGORITHMS = {"secp256r1": b"es256", "secp384r1": b"es384", "secp521r1": b"es512"}
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey


class IdentityError(Exception):
    """Nothing can be signed with this certificate or key; the text says why."""


@dataclass(frozen=True, slots=True, repr=False)
class SigningIdentity:
    """A private `key` in PEM (PKCS #8), its certificate `chain` in PEM, the key's own certificate first, and the
    name of the signature `algorithm` for C2PA. `expires_at`: when the first certificate of the chain expires.
    """

    key: bytes
    chain: bytes
    algorithm: bytes
    expires_at: datetime


def read_identity(chain_file: Path, key_file: Path, now: datetime) -> SigningIdentity:
    """The operator's identity. Raises IdentityError if a file cannot be read, key and chain do not belong together,
    or a certificate is not valid now.
    """
    return _identity(_read(chain_file), _read(key_file), str(chain_file), str(key_file), now)


def keep_demo_identity(file: Path, now: datetime) -> SigningIdentity:
    """The demo's identity, from `file`.

    The first call makes the file (mode 0600), with a certificate authority of its own whose key is discarded;
    processes that call at the same time get the same identity. Raises IdentityError.
    """
    if not file.exists():
        private_files.keep(file, _make_demo(now))
    content = _read(file)
    try:
        return _identity(content, content, str(file), str(file), now)
    except IdentityError as error:
        raise IdentityError(f"{error}; remove that file to have a new one made") from None


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise IdentityError(f"{file} cannot be read ({error.strerror})") from None


def _identity(chain: bytes, key: bytes, chain_name: str, key_name: str, now: datetime) -> SigningIdentity:
    certificates, private = _certificates(chain, chain_name), _private_key(key, key_name)
    if certificates[0].public_key() != private.public_key():
        raise IdentityError(f"the key in {key_name} is not that of the first certificate in {chain_name}")
    _check_chain(certificates, chain_name)
    for each in certificates:
        if not each.not_valid_before_utc <= now < each.not_valid_after_utc:
            ends = f"{each.not_valid_before_utc:%Y-%m-%d} to {each.not_valid_after_utc:%Y-%m-%d}"
            raise IdentityError(f"a certificate in {chain_name} holds from {ends} only")
    return SigningIdentity(
        private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        b"".join(each.public_bytes(Encoding.PEM) for each in certificates),
        _algorithm(private, key_name),
        min(each.not_valid_after_utc for each in certificates),
    )


def _certificates(content: bytes, name: str) -> Sequence[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(content)
    except ValueError:
        raise IdentityError(f"{name} holds no certificate in PEM") from None


def _private_key(content: bytes, name: str) -> Key:
    try:
        key = load_pem_private_key(content, None)
    except (ValueError, TypeError):
        raise IdentityError(f"{name} holds no private key in PEM, or one that asks for a password") from None
    if not isinstance(key, Key):
        raise IdentityError(f"the key in {name} is of a kind that C2PA does not know")
    return key


def _algorithm(key: Key, name: str) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return b"ps256"
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return b"ed25519"
    if key.curve.name not in _EC_ALGORITHMS:
        raise IdentityError(f"the key in {name} is on the curve {key.curve.name}, which C2PA does not know")
    return _EC_ALGORITHMS[key.curve.name]


def _check_chain(certificates: Sequence[x509.Certificate], name: str) -> None:
    """Raise IdentityError if the first certificate is self-signed, or a certificate is not issued by the next one:
    validators refuse pictures signed with such a chain.
    """
    leaf = certificates[0]
    if leaf.issuer == leaf.subject:
        raise IdentityError(f"the first certificate in {name} vouches for itself, which C2PA does not accept")
    for each, issuer in pairwise(certificates):
        try:
            each.verify_directly_issued_by(issuer)
        except (ValueError, TypeError, InvalidSignature):
            raise IdentityError(
                f"the certificates in {name} are not in order: first the one of the key, then who vouches for it"
            ) from None


def _make_demo(now: datetime) -> bytes:
    """A key, its certificate and the certificate of a separate authority, because validators refuse a self-signed
    one.
    """
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority_name = _name("Brightlist demo authority, not trusted")
    authority = (
        _begin(authority_name, authority_name, authority_key, now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    by_authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    leaf = (
        _begin(_name("Brightlist demo, not trusted"), authority_name, key, now)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), critical=False)
        .add_extension(by_authority, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + leaf.public_bytes(Encoding.PEM) + authority.public_bytes(Encoding.PEM)


def _name(common_name: str) -> x509.Name:
    organization = x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Brightlist demo")
    return x509.Name([organization, x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime
) -> x509.CertificateBuilder:
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Valid from yesterday on, because clocks differ between machines.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DEMO_DAYS))
        .add_extension(identifier, critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )

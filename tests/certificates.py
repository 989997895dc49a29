"""Certificates as tests want them: an authority of the test's own, and whoever it vouches for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


def new_key() -> ec.EllipticCurvePrivateKey:
    """A key on P-256."""
    return ec.generate_private_key(ec.SECP256R1())


def key_pem(key: Any) -> bytes:
    """The key as PKCS #8 in PEM."""
    pem: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem


@dataclass
class CertificateAuthority:
    """An authority with a key of its own."""

    name: str = "Authority of the tests"
    key: ec.EllipticCurvePrivateKey = field(default_factory=new_key)

    @property
    def certificate(self) -> bytes:
        """Its own, in PEM."""
        return self._certificate(self.key, self.name, [], datetime.now(UTC) + timedelta(days=365), authority=True)

    def certify(
        self,
        key: Any,
        *,
        usages: Sequence[x509.ObjectIdentifier] = (ExtendedKeyUsageOID.EMAIL_PROTECTION,),
        ends_at: datetime | None = None,
        name: str = "Somebody of the tests",
        critical: bool = False,
    ) -> bytes:
        """The certificate of this key, in PEM, then the authority's own."""
        ends = ends_at or datetime.now(UTC) + timedelta(days=300)
        return self._certificate(key, name, usages, ends, critical=critical) + self.certificate

    def _certificate(
        self,
        key: Any,
        name: str,
        usages: Sequence[x509.ObjectIdentifier],
        ends_at: datetime,
        *,
        authority: bool = False,
        critical: bool = False,
    ) -> bytes:
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        made = (
            x509.CertificateBuilder()
            .subject_name(_name(name))
            .issuer_name(_name(self.name))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(ends_at - timedelta(days=3650))
            .not_valid_after(ends_at)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=0 if authority else None), critical=True)
            .add_extension(_usage(authority), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(issuer, critical=False)
        )
        if usages:
            made = made.add_extension(x509.ExtendedKeyUsage(usages), critical=critical)
        return made.sign(self.key, hashes.SHA256()).public_bytes(Encoding.PEM)


def _name(common_name: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Tests"),
            x509.NameAttribute(NameOID.COMMON_NAME, common_name),
        ]
    )


def _usage(authority: bool) -> x509.KeyUsage:
    flags = dict.fromkeys(
        (
            "content_commitment",
            "key_encipherment",
            "data_encipherment",
            "key_agreement",
            "encipher_only",
            "decipher_only",
        ),
        False,
    )
    signs = {"digital_signature": not authority, "key_cert_sign": authority, "crl_sign": authority}
    return x509.KeyUsage(**flags, **signs)

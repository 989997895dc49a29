"""The settings of content credentials."""

from pathlib import Path

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from app.domain.content_credentials import CredentialKind


class CredentialSettings(BaseModel):
    """Whether results are signed by the C2PA standard, and with which certificate and key."""

    c2pa_cert_chain: Path | None = Field(
        default=None, description="a file in PEM: the certificate of the key, then those that vouch for it"
    )
    c2pa_key: Path | None = Field(default=None, description="a file in PEM with the certificate's private key")
    c2pa_tsa_url: str | None = Field(
        default=None, description="the address of a time stamping authority (RFC 3161)"
    )
    content_credentials: CredentialKind = Field(
        default=CredentialKind.NONE, validate_default=True, description="none, demo or certificate"
    )

    @field_validator("c2pa_cert_chain", "c2pa_key")
    @classmethod
    def _absolute_file(cls, path: Path | None) -> Path | None:
        # The file is not read here: only the processes that sign must be able to read the file.
        return path.absolute() if path else None

    @field_validator("content_credentials")
    @classmethod
    def _check_files(cls, kind: CredentialKind, info: ValidationInfo) -> CredentialKind:
        given = [info.data.get(name) is not None for name in ("c2pa_cert_chain", "c2pa_key")]
        if kind is CredentialKind.CERTIFICATE and not all(given):
            raise ValueError("with certificate, C2PA_CERT_CHAIN and C2PA_KEY must be set")
        if kind is not CredentialKind.CERTIFICATE and any(given):
            raise ValueError("where C2PA_CERT_CHAIN or C2PA_KEY is set, it must be certificate")
        return kind

"""Makes the signer of content credentials that the settings ask for."""

import logging
from datetime import datetime
from types import ModuleType

from app import metrics
from app.adapters import signing_identity
from app.adapters.signing_identity import EXPIRES_SOON, IdentityError, SigningIdentity
from app.domain.content_credentials import ContentCredentials, CredentialKind, SigningError
from app.preload import load
from app.settings import Settings, SettingsError
from engine.version import engine_version

log = logging.getLogger(__name__)

DEMO_FILE = "credentials/demo.pem"
"""The demo's private key and certificates, in DATA_DIR."""


def make_credentials(settings: Settings, now: datetime) -> ContentCredentials | None:
    """The signer of pictures; None if the settings ask for none.

    It signs a picture of one pixel as a test. Raises SettingsError if the package is not installed, the certificate
    or key cannot be used, or the test fails.
    """
    kind = settings.content_credentials
    if kind is CredentialKind.NONE:
        return None
    try:
        identity = _identity(settings, now)
        made: ContentCredentials = _load_adapter().C2paCredentials(
            kind, identity, engine_version(), settings.c2pa_tsa_url
        )
    except IdentityError as error:
        name = "C2PA_CERT_CHAIN" if kind is CredentialKind.CERTIFICATE else "CONTENT_CREDENTIALS"
        raise SettingsError(f"{name}: {error}") from None
    except SigningError as error:
        raise SettingsError(f"C2PA_CERT_CHAIN: nothing can be signed with this certificate: {error}") from None
    metrics.CREDENTIALS_END.set(identity.expires_at.timestamp())
    if identity.expires_at - now < EXPIRES_SOON:
        ends = f"{identity.expires_at:%Y-%m-%d}"
        log.warning("the certificate that signs pictures ends on %s; from then on they are not signed", ends)
    return made


def _identity(settings: Settings, now: datetime) -> SigningIdentity:
    chain, key = settings.c2pa_cert_chain, settings.c2pa_key
    if chain is not None and key is not None:
        return signing_identity.read_identity(chain, key, now)
    return signing_identity.keep_demo_identity(settings.data_dir / DEMO_FILE, now)


def _load_adapter() -> ModuleType:
    # Imported only here: the package is optional.
    try:
        return load("app.adapters.content_credentials")
    except ModuleNotFoundError as missing:
        raise SettingsError(
            f"CONTENT_CREDENTIALS: the package {missing.name} is not installed; "
            "pip install -r deploy/requirements/credentials.txt, or leave the setting out"
        ) from None

"""Signs pictures with c2pa-python, the Python binding of the C2PA project's library; imported only where needed."""

import base64
import io
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import c2pa

from app import metrics
from app.adapters.signing_identity import SigningIdentity
from app.domain.content_credentials import CredentialKind, ParentPicture, PictureClaim, SigningError

log = logging.getLogger(__name__)

SOFTWARE = "Brightlist"
_PARENT = "parent"
_SETTINGS: Mapping[str, Any] = {
    # Thumbnails of the photo and of the result would add a megabyte, and would show the original photo.
    "builder": {"thumbnail": {"enabled": False}},
    # Nothing is fetched from URLs in files or certificates; only the time stamp is, see _sign().
    "core": {"allow_redirects": False},
    "verify": {"remote_manifest_fetch": False, "ocsp_fetch": False, "verify_after_sign": False},
}
# A PNG of one pixel, for the test of the identity.
_PIXEL = base64.b64decode(
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True, slots=True)
class C2paCredentials:
    """Signs with one identity; implements app.domain.content_credentials.ContentCredentials.

    `version`: the software version named in claims that name no other. `tsa_url`: a time stamping authority (RFC
    3161), which the library asks for a time stamp of every picture; it waits 30 seconds, then the picture is signed
    without one.
    """

    kind: CredentialKind
    identity: SigningIdentity
    version: str
    tsa_url: str | None = None

    def __post_init__(self) -> None:
        """Check that the library can sign with the identity, on a picture of one pixel. Raises SigningError."""
        self._sign(_PIXEL, "image/png", _manifest(None, "image/png", self.version), None, None)

    def sign(self, content: bytes, media_type: str, claim: PictureClaim) -> bytes:
        """The encoded picture with the signed claim in it; see the port."""
        manifest = _manifest(claim, media_type, claim.version or self.version)
        try:
            signed, outcome = self._sign_timed(content, media_type, manifest, claim.parent)
        except Exception:
            metrics.CREDENTIALS.labels("failed").inc()
            raise
        metrics.CREDENTIALS.labels(outcome).inc()
        return signed

    def _sign_timed(
        self, content: bytes, media_type: str, manifest: Mapping[str, Any], parent: ParentPicture
    ) -> tuple[bytes, str]:
        """The signed picture, and the outcome for the metric: "untimed" where the time stamp is missing, else
        "signed".
        """
        if self.tsa_url is not None:
            try:
                return self._sign(content, media_type, manifest, parent, self.tsa_url), "signed"
            except SigningError as error:
                log.warning("a picture is signed without a time stamp: %s", error)
        signed = self._sign(content, media_type, manifest, parent, None)
        return signed, "signed" if self.tsa_url is None else "untimed"

    def _sign(
        self,
        content: bytes,
        media_type: str,
        manifest: Mapping[str, Any],
        parent: ParentPicture | None,
        tsa_url: str | None,
    ) -> bytes:
        identity, signed = self.identity, io.BytesIO()
        who = c2pa.C2paSignerInfo(
            identity.algorithm, identity.chain, identity.key, tsa_url.encode() if tsa_url else None
        )
        try:
            # New objects for each picture: those of the library do not work after a fork.
            with (
                c2pa.Settings.from_dict(dict(_SETTINGS)) as settings,
                c2pa.Context(settings) as context,
                c2pa.Signer.from_info(who) as signer,
                c2pa.Builder(dict(manifest), context=context) as builder,
            ):
                if parent is not None and parent.content is not None:
                    ingredient = json.dumps(_ingredient(parent))
                    builder.add_ingredient(ingredient, parent.media_type.value, io.BytesIO(parent.content))
                builder.sign(signer, media_type, io.BytesIO(content), signed)
        except c2pa.C2paError as error:
            raise SigningError(str(error)) from error
        return signed.getvalue()


def _manifest(claim: PictureClaim | None, media_type: str, version: str) -> dict[str, Any]:
    """The claim as a manifest for the library; without a claim, a minimal manifest for the test of the identity."""
    agent = {"name": SOFTWARE, "version": version}
    manifest: dict[str, Any] = {"claim_generator_info": [agent], "format": media_type}
    actions: list[dict[str, Any]] = [{"action": "c2pa.created", "softwareAgent": agent}]
    if claim is not None:
        manifest["title"] = claim.title
        if claim.parent.content is None:
            manifest["ingredients"] = [_ingredient(claim.parent)]
        actions = [{"action": "c2pa.opened", "parameters": {"ingredientIds": [_PARENT]}}]
        for edit in claim.edits:
            action: dict[str, Any] = {
                "action": "c2pa.edited",
                "softwareAgent": agent,
                "description": edit.description,
            }
            if edit.source_type is not None:
                action["digitalSourceType"] = edit.source_type.uri
            actions.append(action)
    manifest["assertions"] = [
        {"label": "c2pa.actions.v2", "data": {"actions": actions, "allActionsIncluded": True}}
    ]
    return manifest


def _ingredient(parent: ParentPicture) -> dict[str, str]:
    return {
        "title": parent.title,
        "format": parent.media_type.value,
        "instance_id": f"sha256:{parent.sha256}",
        "relationship": "parentOf",
        "label": _PARENT,
    }

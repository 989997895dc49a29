"""What the manifests of a signed picture tell a reader in words."""

import json
from typing import Any


def words_of(told: dict[str, Any]) -> str:
    """All that `told` says, less the digests: their letters are chance and spell any short word some day."""
    return json.dumps(_less_digests(told))


def _less_digests(told: object) -> object:
    if isinstance(told, dict):
        return {name: _less_digests(each) for name, each in told.items() if name != "hash"}
    if isinstance(told, list):
        return [_less_digests(each) for each in told]
    return told

"""The engine's version: the release, and a digest of everything that decides the bytes of a result.

It lies below the services and imports nothing of the engine: web processes tell it in events without loading that.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RELEASE = "0.13.0"
"""Of all of Brightlist; CHANGELOG.md says what it brings."""
PACKAGES = ("drjit", "mitsuba", "numpy", "opencv-python-headless", "pillow", "pillow-heif", "simplejpeg")
"""Whose releases decide the bytes too."""
RULES = (
    "__init__.py",
    "address_lines.py",
    "camera_raw.py",
    "catalogue.py",
    "disclosure/__init__.py",
    "disclosure/listing.py",
    "disclosure/rule_files.py",
    "disclosure/rules.py",
    "disclosure/rules/elsewhere.yaml",
    "edit_requests.py",
    "faults.py",
    "figures.py",
    "media.py",
    "options.py",
    "photo_facts.py",
    "photo_limits.py",
    "ports.py",
    "prompts.py",
    "quality.py",
    "shared_appearance.py",
    "source_types.py",
    "wire.py",
)
"""The files of app/domain that the engine reads, itself or by another of them."""
_DIGITS = 8
_NOT_READ = frozenset({".pyc", ".md"})
_APP = Path(__file__).parent


@cache
def engine_version() -> str:
    """The version of the engine of this process, such as `0.13.0+3f9a2c1b`: found once, in some 40 ms.

    With the same version the same recipe gives the same bytes on a processor of the same kind.
    """
    return find_version(_APP, {name: _release_of(name) for name in PACKAGES})


def find_version(app: Path, packages: Mapping[str, str], release: str = RELEASE) -> str:
    """The version of the engine below `app`, the folder of this file, with these releases of PACKAGES."""
    digest = sha256()
    for path in list_files(app):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(app).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    for name in sorted(packages):
        digest.update(f"{name}=={packages[name]}\n".encode())
    return f"{release}+{digest.hexdigest()[:_DIGITS]}"


def list_files(app: Path) -> list[Path]:
    """Every file that decides the bytes of a result, in an order that is the same everywhere."""
    engine: Iterable[Path] = (path for path in (app / "engine").rglob("*") if path.is_file())
    read = [path for path in engine if path.suffix not in _NOT_READ]
    return sorted([*read, *(app / "domain" / name for name in RULES)], key=lambda path: path.as_posix())


def _release_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"

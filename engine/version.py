"""The engine's version: the release, and a digest of everything that decides the bytes of a result.

This module imports nothing else of the engine, because web processes write the version into events without loading
the engine.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RELEASE = "0.14.0"
"""The release of all of Brightlist; CHANGELOG.md describes it."""
PACKAGES = (
    "drjit",
    "lensfunpy",
    "mitsuba",
    "numpy",
    "opencv-python-headless",
    "pillow",
    "pillow-heif",
    "pypatchmatch",
    "simplejpeg",
)
"""Packages whose releases also decide the bytes of a result."""
_DIGITS = 8
_IGNORED_SUFFIXES = frozenset({".pyc", ".md"})
_ENGINE = Path(__file__).parent


@cache
def engine_version() -> str:
    """The version of the engine of this process; computed once, in some 40 ms.

    With the same version, the same recipe gives the same bytes on processors of the same kind.

    Returns
    -------
    str
        Such as `0.14.0+3f9a2c1b`: the release and the first digits of a digest.
    """
    return find_version(_ENGINE, {name: _release_of(name) for name in PACKAGES})


def find_version(engine: Path, packages: Mapping[str, str], release: str = RELEASE) -> str:
    """The version of the engine in a folder.

    Parameters
    ----------
    engine : Path
        The folder of the package.
    packages : Mapping of str to str
        The installed release of each of PACKAGES.
    release : str, default RELEASE
        The release that the version begins with.

    Returns
    -------
    str
        `release+digest`, the digest in hexadecimal digits.
    """
    digest = sha256()
    for path in list_files(engine):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(engine).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    for name in sorted(packages):
        digest.update(f"{name}=={packages[name]}\n".encode())
    return f"{release}+{digest.hexdigest()[:_DIGITS]}"


def list_files(engine: Path) -> list[Path]:
    """Every file of the engine that decides the bytes of a result.

    Parameters
    ----------
    engine : Path
        The folder of the package.

    Returns
    -------
    list of Path
        Sorted by path, the same everywhere; without compiled modules and Markdown.
    """
    files = (path for path in engine.rglob("*") if path.is_file() and path.suffix not in _IGNORED_SUFFIXES)
    return sorted(files, key=lambda path: path.as_posix())


def _release_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"

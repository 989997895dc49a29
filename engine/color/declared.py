"""Color spaces that a file declares without an ICC profile, and ICC profiles made from them.

HEIC files hold code points of H.273 (nclx); PNG files hold the same code points (cICP) or chromaticities and a
gamma; cameras that write no profile declare Adobe RGB in EXIF. A picture with wide primaries looks pale where its
declaration is ignored.
"""

import struct
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import ExifTags, Image

Primaries = tuple[float, float, float, float, float, float, float, float]
"""Chromaticities: x and y of red, green and blue, and of the white point."""

_D65 = (0.3127, 0.3290)
_BT_709: Primaries = (0.640, 0.330, 0.300, 0.600, 0.150, 0.060, *_D65)
_ADOBE: Primaries = (0.640, 0.330, 0.210, 0.710, 0.150, 0.060, *_D65)
_PRIMARIES: dict[int, Primaries] = {
    1: _BT_709,
    5: (0.640, 0.330, 0.290, 0.600, 0.150, 0.060, *_D65),
    6: (0.630, 0.340, 0.310, 0.595, 0.155, 0.070, *_D65),
    7: (0.630, 0.340, 0.310, 0.595, 0.155, 0.070, *_D65),
    9: (0.708, 0.292, 0.170, 0.797, 0.131, 0.046, *_D65),
    11: (0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3140, 0.3510),
    12: (0.680, 0.320, 0.265, 0.690, 0.150, 0.060, *_D65),
}
"""Primaries by their code point in H.273."""
_GAMMAS: dict[int, float | None] = {1: None, 6: None, 13: None, 14: None, 15: None, 4: 2.2, 5: 2.8, 8: 1.0}
"""Gamma by the code point of a transfer in H.273; None for transfers that every screen shows as sRGB."""
HDR_TRANSFERS = frozenset({16, 18})
"""Code points of PQ and HLG: transfers for more light than a screen of standard range shows."""
ADOBE_GAMMA = 563 / 256
"""Gamma of Adobe RGB (1998)."""
# A PNG's gamma within _GAMMA_TOLERANCE of _USUAL_GAMMA is taken as the curve of sRGB.
_USUAL_GAMMA, _GAMMA_TOLERANCE = 1 / 2.2, 0.02
# XYZ of D50, the white point that ICC profiles require.
_D50 = (0.9642, 1.0, 0.8249)
# Bradford's matrix from XYZ to the cone responses in which white points are adapted.
_BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
# EXIF: two values of ColorSpace, and the InteroperabilityIndex that stands for Adobe RGB.
_UNCALIBRATED, _ADOBE_SPACE, _ADOBE_INDEX = 65535, 2, "R03"


@dataclass(frozen=True, slots=True)
class DeclaredSpace:
    """An RGB color space. A `gamma` of None means the curve of sRGB.

    `is_hdr` marks a transfer for high dynamic range, which no ICC profile describes.
    """

    primaries: Primaries
    gamma: float | None = None
    is_hdr: bool = False

    def make_profile(self) -> bytes:
        """Make the ICC profile of this space; `is_hdr` is ignored.

        Returns
        -------
        bytes
            A display profile of version 4.
        """
        return _make_profile(self.primaries, self.gamma)


def read_declared(image: Image.Image, content: bytes) -> DeclaredSpace | None:
    """Read the color space that a file declares other than by an ICC profile.

    Parameters
    ----------
    image : PIL.Image.Image
        The file as Pillow opened it, before its EXIF orientation is applied.
    content : bytes
        The content of the file.

    Returns
    -------
    DeclaredSpace or None
        None where the space is sRGB or nothing is declared. The cICP of a PNG takes precedence over a profile, as
        its standard requires; every other declaration is used only where the file has no profile.

    References
    ----------
    .. [1] ITU-T H.273.
    .. [2] PNG, third edition, 11.3.2.6.
    .. [3] Exif 3.0, ColorSpace and InteroperabilityIndex.
    """
    if image.format == "PNG" and (found := _read_cicp(content)):
        return _from_code_points(*found)
    if image.info.get("icc_profile"):
        return None
    if image.format == "PNG":
        return _from_chromaticities(image)
    nclx = image.info.get("nclx_profile")
    if isinstance(nclx, dict):
        return _from_code_points(int(nclx.get("color_primaries", 2)), int(nclx.get("transfer_characteristics", 2)))
    return _from_exif(image)


def _from_code_points(primaries: int, transfer: int) -> DeclaredSpace | None:
    if transfer in HDR_TRANSFERS:
        return DeclaredSpace(_PRIMARIES.get(primaries, _BT_709), is_hdr=True)
    if primaries not in _PRIMARIES:
        return None
    space = DeclaredSpace(_PRIMARIES[primaries], _GAMMAS.get(transfer))
    return None if space == DeclaredSpace(_BT_709) else space


def _read_cicp(content: bytes) -> tuple[int, int] | None:
    # Chunks follow the signature of 8 bytes. Each has length, kind, data and checksum: 4, 4, length and 4 bytes.
    position = 8
    while position + 8 <= len(content):
        size, kind = struct.unpack_from(">I4s", content, position)
        if kind == b"cICP" and size >= 2 and position + 10 <= len(content):
            return content[position + 8], content[position + 9]
        if kind in {b"IDAT", b"IEND"}:
            return None
        position += 12 + int(size)
    return None


def _from_chromaticities(image: Image.Image) -> DeclaredSpace | None:
    if "srgb" in image.info:
        return None
    primaries, gamma = _BT_709, None
    chromaticity = image.info.get("chromaticity")
    if isinstance(chromaticity, tuple) and len(chromaticity) == len(_BT_709):
        white_x, white_y, *colors = map(float, chromaticity)
        red_x, red_y, green_x, green_y, blue_x, blue_y = colors
        primaries = (red_x, red_y, green_x, green_y, blue_x, blue_y, white_x, white_y)
        if np.allclose(primaries, _BT_709, atol=0.005):
            primaries = _BT_709
    file_gamma = image.info.get("gamma")
    if isinstance(file_gamma, float) and file_gamma > 0 and abs(file_gamma - _USUAL_GAMMA) > _GAMMA_TOLERANCE:
        gamma = 1 / file_gamma
    space = DeclaredSpace(primaries, gamma)
    return None if space == DeclaredSpace(_BT_709) or not _is_valid_space(primaries) else space


def _from_exif(image: Image.Image) -> DeclaredSpace | None:
    try:
        exif = image.getexif()
        space = exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.ColorSpace)
        index = str(exif.get_ifd(ExifTags.IFD.Interop).get(1, "")).strip("\0 ")
    except (OSError, SyntaxError, ValueError, TypeError, LookupError, struct.error):
        return None
    if space == _ADOBE_SPACE or (space == _UNCALIBRATED and index == _ADOBE_INDEX):
        return DeclaredSpace(_ADOBE, ADOBE_GAMMA)
    return None


def _is_valid_space(primaries: Primaries) -> bool:
    """Whether the three primaries and the white point define an RGB space."""
    try:
        scaled = _compute_xyz_matrix(primaries)
    except (np.linalg.LinAlgError, ZeroDivisionError):
        return False
    return bool(np.isfinite(scaled).all() and (scaled.sum(axis=0) > 0).all())


def _compute_xyz_matrix(primaries: Primaries) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """The matrix from linear RGB to XYZ, relative to the white point of the space."""
    pairs = [primaries[0:2], primaries[2:4], primaries[4:6]]
    columns = np.array([[x / y, 1.0, (1 - x - y) / y] for x, y in pairs]).T
    x, y = primaries[6:8]
    white = np.array([x / y, 1.0, (1 - x - y) / y])
    return np.asarray(columns * np.linalg.solve(columns, white))


@cache
def _make_profile(primaries: Primaries, gamma: float | None) -> bytes:
    """A display profile of version 4: a matrix, adapted to D50 by Bradford's method, and one curve."""
    x, y = primaries[6:8]
    white = np.array([x / y, 1.0, (1 - x - y) / y])
    scale = np.diag((_BRADFORD @ np.array(_D50)) / (_BRADFORD @ white))
    adapted = np.linalg.inv(_BRADFORD) @ scale @ _BRADFORD
    matrix = adapted @ _compute_xyz_matrix(primaries)
    curve = _make_curve_tag(gamma)
    tags = [
        (b"desc", _make_text_tag("RGB as the file declares it")),
        (b"cprt", _make_text_tag("No copyright, use freely")),
        (b"wtpt", b"XYZ \0\0\0\0" + _pack_numbers(_D50)),
        (b"chad", b"sf32\0\0\0\0" + _pack_numbers(adapted.ravel())),
        *(
            (name, b"XYZ \0\0\0\0" + _pack_numbers(matrix[:, start]))
            for start, name in enumerate((b"rXYZ", b"gXYZ", b"bXYZ"))
        ),
        *((name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")),
    ]
    table, body, start = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, content in tags:
        table += name + struct.pack(">II", start + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    size = start + len(body)
    header = struct.pack(">II", size, 0) + b"\x04\x30\0\0mntrRGB XYZ " + struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
    header += b"acsp" + bytes(28) + _pack_numbers(_D50)
    return header + bytes(128 - len(header)) + table + body


def _make_curve_tag(gamma: float | None) -> bytes:
    if gamma is not None:
        return b"para\0\0\0\0\0\0\0\0" + _pack_numbers([gamma])
    return b"para\0\0\0\0\0\x03\0\0" + _pack_numbers([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])


def _make_text_tag(words: str) -> bytes:
    encoded = words.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", len(encoded), 28) + encoded


def _pack_numbers(
    values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]] | list[float] | tuple[float, ...]",
) -> bytes:
    return b"".join(struct.pack(">i", round(float(each) * 65536)) for each in values)

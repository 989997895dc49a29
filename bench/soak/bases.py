"""Small sound pictures in every format and variety that the service takes, drawn from a random number: what mutants
are made of.
"""

import io
import struct
from collections.abc import Callable
from random import Random

import numpy as np
import pillow_heif
from PIL import Image, ImageCms

MOST_SIDE = 160
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
LAB = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
ORIENTATION, MAKE, EXPOSURE_TIME = 0x0112, 0x010F, 0x829A

pillow_heif.register_heif_opener(thumbnails=False)


def drawn(random: Random, mode: str = "RGB") -> Image.Image:
    """A small picture with edges, slopes and noise in it."""
    width, height = random.randint(1, MOST_SIDE), random.randint(1, MOST_SIDE)
    across = np.linspace(0, random.randint(60, 255), width)[None, :, None]
    down = np.linspace(0, random.randint(0, 120), height)[:, None, None]
    noise = np.frombuffer(random.randbytes(width * height * 3), np.uint8).reshape(height, width, 3) / 16
    pixels = np.clip(across + down * np.array([0.2, 0.7, 1.0]) + noise, 0, 255).astype(np.uint8)
    return Image.fromarray(pixels).convert(mode)


def base(random: Random) -> tuple[str, bytes]:
    """A sound picture and the name of its variety."""
    name = random.choice(sorted(VARIETIES))
    return name, VARIETIES[name](random)


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    """The file that Pillow writes."""
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def exif(random: Random) -> bytes:
    """An EXIF block, its orientation not always one that there is."""
    block = Image.Exif()
    block[ORIENTATION] = random.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 255])
    block[MAKE] = "Maker" * random.choice([1, 1, 1000])
    block.get_ifd(0x8769)[EXPOSURE_TIME] = (1, random.choice([0, 1, 250]))
    block.get_ifd(0x8825)[2] = (1.0, 2.0, 3.0)
    return block.tobytes()


def _jpeg(mode: str, **options: object) -> Callable[[Random], bytes]:
    def make(random: Random) -> bytes:
        extra = {"exif": exif(random), "icc_profile": random.choice([None, SRGB, LAB]), "xmp": XMP}
        chosen = {name: value for name, value in extra.items() if random.random() < 0.5 and value}
        quality = random.randint(1, 100)
        return saved(drawn(random, mode), "JPEG", quality=quality, **chosen, **options)

    return make


def _multi_picture(random: Random) -> bytes:
    return saved(drawn(random), "MPO", save_all=True, append_images=[drawn(random)], exif=exif(random))


def _png(mode: str) -> Callable[[Random], bytes]:
    def make(random: Random) -> bytes:
        return saved(drawn(random, mode), "PNG", **_profile(random), exif=exif(random))

    return make


def _profile(random: Random) -> dict[str, object]:
    chosen = random.choice([None, SRGB, LAB])
    return {"icc_profile": chosen} if chosen else {}


def _deep_png(random: Random) -> bytes:
    return saved(Image.fromarray(np.asarray(drawn(random, "L")).astype(np.uint16) * 257), "PNG")


def _animated_png(random: Random) -> bytes:
    return saved(drawn(random), "PNG", save_all=True, append_images=[drawn(random)])


def _webp(**options: object) -> Callable[[Random], bytes]:
    def make(random: Random) -> bytes:
        mode = random.choice(["RGB", "RGBA"])
        return saved(drawn(random, mode), "WEBP", exif=exif(random), xmp=XMP, **_profile(random), **options)

    return make


def _animated_webp(random: Random) -> bytes:
    first = drawn(random)
    return saved(first, "WEBP", save_all=True, append_images=[first.rotate(180)] * random.randint(1, 40))


def _heic(random: Random) -> bytes:
    # An encoder of video takes no picture of a few pixels.
    picture = drawn(random).resize((random.randint(64, 160), random.randint(64, 160)))
    return saved(picture, "HEIF", quality=random.randint(5, 95), exif=exif(random), **_profile(random))


def _tiff(mode: str, compression: str | None = None) -> Callable[[Random], bytes]:
    def make(random: Random) -> bytes:
        return saved(drawn(random, mode), "TIFF", compression=compression, **_profile(random))

    return make


def _many_pages(random: Random) -> bytes:
    return saved(drawn(random), "TIFF", save_all=True, append_images=[drawn(random)] * random.randint(1, 20))


def _deep_tiff(random: Random) -> bytes:
    gray = np.asarray(drawn(random, "L"))
    return saved(Image.fromarray(random.choice([gray.astype(np.uint16) * 257, gray.astype(np.float32)])), "TIFF")


def _big_endian_tiff(random: Random) -> bytes:
    """A sixteen-bit RGB picture in one strip, written by hand: Pillow writes none."""
    width, height = random.randint(1, 40), random.randint(1, 40)
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 3, 0), (259, 3, 1, 1 << 16), (262, 3, 1, 2 << 16)]
    entries += [(273, 4, 1, 0), (277, 3, 1, 3 << 16), (278, 4, 1, height), (279, 4, 1, width * height * 6)]
    end = 8 + 2 + 12 * len(entries) + 4
    places = {258: end, 273: end + 6}
    lines = [struct.pack(">HHII", tag, kind, many, places.get(tag, value)) for tag, kind, many, value in entries]
    head = b"MM\0*" + struct.pack(">IH", 8, len(entries)) + b"".join(lines) + bytes(4)
    return head + struct.pack(">3H", 16, 16, 16) + random.randbytes(width * height * 6)


def _not_taken(random: Random) -> bytes:
    return saved(drawn(random), random.choice(["GIF", "BMP", "SGI", "TGA", "PPM", "ICO"]))


VARIETIES: dict[str, Callable[[Random], bytes]] = {
    "jpeg": _jpeg("RGB"),
    "jpeg progressive": _jpeg("RGB", progressive=True),
    "jpeg 4:4:4": _jpeg("RGB", subsampling=0),
    "jpeg restarts": _jpeg("RGB", restart_marker_blocks=1),
    "jpeg gray": _jpeg("L"),
    "jpeg cmyk": _jpeg("CMYK"),
    "jpeg mpo": _multi_picture,
    "png": _png("RGB"),
    "png alpha": _png("RGBA"),
    "png palette": _png("P"),
    "png one bit": _png("1"),
    "png 16 bit": _deep_png,
    "png animated": _animated_png,
    "webp": _webp(),
    "webp lossless": _webp(lossless=True),
    "webp animated": _animated_webp,
    "heic": _heic,
    "tiff": _tiff("RGB"),
    "tiff lzw": _tiff("RGB", "tiff_lzw"),
    "tiff deflate": _tiff("RGB", "tiff_adobe_deflate"),
    "tiff jpeg": _tiff("RGB", "jpeg"),
    "tiff packbits": _tiff("L", "packbits"),
    "tiff group 4": _tiff("1", "group4"),
    "tiff cmyk": _tiff("CMYK"),
    "tiff lab": _tiff("LAB"),
    "tiff pages": _many_pages,
    "tiff deep": _deep_tiff,
    "tiff big-endian 16 bit": _big_endian_tiff,
    "not taken": _not_taken,
}

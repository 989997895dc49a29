"""Pictures that were tampered with: flipped, cut, spliced, lying headers, bombs, broken metadata, polyglots."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from random import Random

import numpy as np
from PIL import Image

from bench.soak.bases import LAB, SRGB, base, drawn, saved

ODD_BYTES = (0x00, 0x01, 0x7F, 0x80, 0xD8, 0xD9, 0xDA, 0xFE, 0xFF)
ODD_SIZES = (0, 1, 2, 0xFFFF, 0x7FFF, 65_500, 65_501, 20_000, 9_999)
ODD_LONG_SIZES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 65_536, 100_000, 9_999, 30_000)
BOMB_BYTES = 40_000_000
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

Mutate = Callable[[Random], tuple[str, bytes]]


def mutant(random: Random) -> tuple[str, bytes]:
    """A file to be taken or refused calmly, and what was done to it."""
    kinds = [kind for kind, _ in WEIGHTS]
    (made,) = random.choices(kinds, [weight for _, weight in WEIGHTS])
    return made(random)


def _flipped(random: Random) -> tuple[str, bytes]:
    name, content = base(random)
    changed = bytearray(content)
    reach = random.choice([64, 300, len(changed)])
    for _ in range(random.choice([1, 1, 3, 20, 200])):
        changed[random.randrange(min(reach, len(changed)))] ^= 1 << random.randrange(8)
    return f"flipped bits: {name}", bytes(changed)


def _overwritten(random: Random) -> tuple[str, bytes]:
    name, content = base(random)
    changed = bytearray(content)
    for _ in range(random.choice([1, 2, 10])):
        at, length = random.randrange(len(changed)), random.choice([1, 2, 4, 4, 16])
        changed[at : at + length] = bytes([random.choice(ODD_BYTES)]) * length
    return f"odd bytes: {name}", bytes(changed)


def _cut(random: Random) -> tuple[str, bytes]:
    name, content = base(random)
    return f"cut short: {name}", content[: random.randrange(len(content))]


def _spliced(random: Random) -> tuple[str, bytes]:
    """Pieces left out, doubled, moved, or taken from another picture."""
    name, content = base(random)
    start, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
    piece, at = content[start:end], random.randrange(len(content) + 1)
    other = base(random)[1]
    changed = random.choice(
        [
            content[:start] + content[end:],
            content[:at] + piece * random.choice([1, 2, 50]) + content[at:],
            content[:at] + random.randbytes(random.choice([1, 7, 5000])) + content[at:],
            content[:start] + other[: end - start] + content[end:],
            content[:at] + other[min(at, len(other)) :],
        ]
    )
    return f"spliced: {name}", changed


def _lying(random: Random) -> tuple[str, bytes]:
    """Another size in the header than the data has."""
    name, content = base(random)
    changed = bytearray(content)
    if name.startswith("jpeg"):
        places = [at for at in range(len(content) - 9) if content[at] == 0xFF and content[at + 1] in (0xC0, 0xC2)]
        for at in places[:1]:
            struct.pack_into(">HH", changed, at + 5, random.choice(ODD_SIZES), random.choice(ODD_SIZES))
    elif name.startswith("png"):
        sides = random.choice(ODD_LONG_SIZES), random.choice(ODD_LONG_SIZES)
        struct.pack_into(">II", changed, 16, *sides)
        struct.pack_into(">I", changed, 29, zlib.crc32(changed[12:29]))
    elif name.startswith("webp"):
        changed[24 : 24 + 6] = random.choice([bytes(6), b"\xff" * 6, random.randbytes(6)])
    elif name.startswith("heic"):
        at = content.find(b"ispe")
        struct.pack_into(">II", changed, at + 8, random.choice(ODD_LONG_SIZES), random.choice(ODD_LONG_SIZES))
    elif name.startswith("tiff"):
        _lie_in_tiff(changed, random)
    return f"lying header: {name}", bytes(changed)


def _lie_in_tiff(changed: bytearray, random: Random) -> None:
    order = ">" if changed[:2] == b"MM" else "<"
    (start,) = struct.unpack_from(f"{order}I", changed, 4)
    if start + 2 > len(changed):
        return
    (many,) = struct.unpack_from(f"{order}H", changed, start)
    for _ in range(random.choice([1, 2])):
        at = start + 2 + 12 * random.randrange(max(1, many))
        # Its type, how many values it has, or the value or where those lie.
        place, form, odd = random.choice([(2, "H", ODD_SIZES), (4, "I", ODD_LONG_SIZES), (8, "I", ODD_LONG_SIZES)])
        if at + 12 <= len(changed):
            struct.pack_into(f"{order}{form}", changed, at + place, random.choice([*odd, start, 8]))


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _png_bomb(random: Random) -> tuple[str, bytes]:
    """A few bytes that unpack to many: pixels, text, profile, EXIF."""
    if random.random() < 0.3:
        side = random.choice([4_000, 5_000, 30_000, 65_536, 0x7FFFFFFF])
        rows = zlib.compress(bytes(min(BOMB_BYTES, side * (side // 8 + 1))), 9)
        head = struct.pack(">IIBBBBB", side, side, *random.choice([(1, 0), (8, 0), (8, 2)]), 0, 0, 0)
        body = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
        return f"png bomb: {side} pixels a side", PNG_SIGNATURE + body
    sound = saved(drawn(random), "PNG")
    packed = zlib.compress(bytes(BOMB_BYTES), 9)
    name, data = random.choice(
        [
            (b"zTXt", b"Comment\0\0" + packed),
            (b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + packed),
            (b"iCCP", b"profile\0\0" + packed),
            (b"eXIf", bytes(1_000_000)),
            (b"tEXt", b"a\0" + bytes(1_000_000)),
        ]
    )
    bombs = chunk(name, data) * random.choice([1, 2, 20])
    return f"png bomb: {name.decode()}", sound[:33] + bombs + sound[33:]


def _many_scans(random: Random) -> tuple[str, bytes]:
    """A progressive JPEG whose scans come again and again, on a large picture."""
    side = random.choice([64, 1000, 4000])
    content = saved(Image.new("RGB", (side, side), "teal"), "JPEG", progressive=True)
    start = content.find(b"\xff\xda")
    scans = content[start:-2]
    most = random.choice([5, 50, 99, 101, 900])
    count = max(1, most // max(1, scans.count(b"\xff\xda")))
    return f"jpeg scans: {side} pixels a side", content[:start] + scans * count + b"\xff\xd9"


def _flat_giant(random: Random) -> tuple[str, bytes]:
    """A real picture near or over the limit of pixels, of few bytes."""
    side = random.choices([3000, 9_999, 10_001, 16_383], [12, 1, 1, 1])[0]
    kind = random.choice(["JPEG", "PNG", "WEBP", "TIFF"])
    mode = random.choice(["L", "RGB"]) if kind != "WEBP" else "RGB"
    options = {"TIFF": {"compression": "tiff_adobe_deflate"}, "WEBP": {"lossless": True, "method": 0}}.get(kind, {})
    return f"flat giant: {kind} {side}", saved(Image.new(mode, (side, side), 128), kind, **options)


def _thin(random: Random) -> tuple[str, bytes]:
    sides = random.choice([(1, 65_500), (65_500, 1), (65_535, 3), (2, 60_000), (30_000, 4)])
    kind = random.choice(["JPEG", "PNG", "TIFF"])
    sides = tuple(min(65_500, side) for side in sides) if kind == "JPEG" else sides
    return f"thin: {kind}", saved(Image.new("RGB", sides, "gray"), kind)


def _segment(marker: bytes, data: bytes) -> bytes:
    return marker + struct.pack(">H", 2 + len(data[:65_533])) + data[:65_533]


def _broken_exif(random: Random) -> tuple[str, bytes]:
    order = random.choice(["<", ">"])
    tags = [0x0112, 0x010F, 0x8769, 0x8825, 0x014A, 0x829A, 0xA005, 0x0201, 0x0202, 0x9286]
    entries = [
        struct.pack(
            f"{order}HHII",
            random.choice(tags),
            random.randint(0, 14),
            random.choice([0, 1, 2, 1000, 0x7FFFFFFF, 0xFFFFFFFF]),
            random.choice([0, 1, 8, 26, 0xFFFFFFFF, random.randrange(300)]),
        )
        for _ in range(random.randint(0, 30))
    ]
    directory = struct.pack(f"{order}H", random.choice([len(entries), 0, 65_535])) + b"".join(entries)
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", random.choice([8, 8, 8, 0, 4]))
    # After it comes the next directory: none, itself, or nowhere.
    block = b"Exif\0\0" + head + directory + struct.pack(f"{order}I", random.choice([0, 8, 0xFFFFFFF0]))
    if random.random() < 0.2:
        block = b"Exif\0\0" + random.randbytes(random.randrange(5000))
    return _with_block(random, "exif", block)


def _broken_profile(random: Random) -> tuple[str, bytes]:
    profile = bytearray(random.choice([SRGB, LAB]))
    for _ in range(random.choice([1, 5, 50])):
        profile[random.randrange(len(profile))] = random.choice(ODD_BYTES)
    if random.random() < 0.3:
        profile = profile[: random.randrange(len(profile))]
    profile[16:20] = random.choice([bytes(profile[16:20]), b"CMYK", b"GRAY", b"XYZ ", b"nope"])
    return _with_block(random, "icc", bytes(profile))


def _broken_xmp(random: Random) -> tuple[str, bytes]:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    laughing = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">{entities}]><x:xmpmeta>&a11;</x:xmpmeta>'
    outside = (
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x:xmpmeta xmlns:x="adobe:ns:meta/">&a;</x:xmpmeta>'
    )
    deep = "<a>" * 15_000
    unclosed = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF tiff:Orientation="' + "9" * 5000
    text = random.choice([laughing, outside, deep, unclosed]).encode()
    return _with_block(random, "xmp", text)


def _with_block(random: Random, kind: str, block: bytes) -> tuple[str, bytes]:
    """A picture with this EXIF block, profile or XMP packet, as its format keeps such."""
    picture = drawn(random)
    format_name = random.choice(["JPEG", "PNG", "WEBP", "HEIF"])
    if format_name == "JPEG":
        head = {"exif": b"", "icc": b"ICC_PROFILE\0\x01\x01", "xmp": b"http://ns.adobe.com/xap/1.0/\0"}[kind]
        segment = _segment(b"\xff\xe2" if kind == "icc" else b"\xff\xe1", head + block)
        content = saved(picture, "JPEG")
        return f"broken {kind}: JPEG", content[:2] + segment + content[2:]
    if format_name == "PNG":
        name, data = {
            "exif": (b"eXIf", block.removeprefix(b"Exif\0\0")),
            "icc": (b"iCCP", b"p\0\0" + zlib.compress(block)),
            "xmp": (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + block),
        }[kind]
        content = saved(picture, "PNG")
        return f"broken {kind}: PNG", content[:33] + chunk(name, data) + content[33:]
    picture = picture.resize((80, 64))
    option = {"exif": "exif", "icc": "icc_profile", "xmp": "xmp"}[kind]
    try:
        return f"broken {kind}: {format_name}", saved(picture, format_name, **{option: block})
    except (ValueError, RuntimeError, OSError, SyntaxError, TypeError):
        # The writer itself knows that it is broken.
        return f"broken {kind}: none", saved(picture, format_name)


def _polyglot(random: Random) -> tuple[str, bytes]:
    """A picture that is something else besides, or the other way round."""
    name, content = base(random)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(1_000_000))
    other = random.choice(
        [
            buffer.getvalue(),
            b"<html><script>alert(1)</script>",
            b"<?php system($_GET[0]); ?>",
            b"%PDF-1.7\n%%EOF",
            b"%!PS\n(/etc/passwd) run",
            b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
            base(random)[1],
            bytes(random.choice([1, 1_000_000])),
        ]
    )
    head = content[: random.choice([4, 12, 64])]
    return f"polyglot: {name}", random.choice([content + other, other + content, head + other])


def _random_bytes(random: Random) -> tuple[str, bytes]:
    heads = [
        b"\xff\xd8\xff",
        PNG_SIGNATURE,
        b"RIFF\x00\x00\x01\x00WEBPVP8L",
        b"II*\0\x08\0\0\0",
        b"MM\0*\0\0\0\x08",
    ]
    heads += [
        b"\0\0\0\x18ftypheic\0\0\0\0heicmif1",
        b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic",
        b"RIFF\xff\xff\xff\xffWEBPVP8X",
    ]
    return "random after a head", random.choice(heads) + random.randbytes(random.randrange(3000))


def _deep_arrays(random: Random) -> tuple[str, bytes]:
    """Kinds of numbers that a TIFF may hold and a camera never writes."""
    kinds = [np.uint16, np.int32, np.float32, np.uint8]
    shape = (random.randint(1, 60), random.randint(1, 60))
    array = np.frombuffer(random.randbytes(shape[0] * shape[1] * 4), np.uint8)[: shape[0] * shape[1]]
    chosen = random.choice(kinds)
    return "odd numbers", saved(Image.fromarray(array.astype(chosen).reshape(shape)), "TIFF")


WEIGHTS: list[tuple[Mutate, int]] = [
    (_flipped, 250),
    (_overwritten, 200),
    (_cut, 100),
    (_spliced, 150),
    (_lying, 100),
    (_png_bomb, 5),
    (_many_scans, 2),
    (_flat_giant, 1),
    (_thin, 10),
    (_broken_exif, 60),
    (_broken_profile, 40),
    (_broken_xmp, 30),
    (_polyglot, 40),
    (_random_bytes, 20),
    (_deep_arrays, 10),
]

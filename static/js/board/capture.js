// When and how a photo was taken, from the first bytes of its file, so that frames of one view are found before all is
// uploaded and looked at. Neither place nor names are read.
const HEAD_BYTES = 131072;
const BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8];
const [EXIF_PART, TIME, FRACTION, SECONDS, STOP, SPEED, FLASH] = [0x8769, 0x9003, 0x9291, 0x829a, 0x829d, 0x8827, 0x9209];

// Where the TIFF block with the data begins: at the start of a TIFF file, in the first segments of a JPEG.
function findBlock(view) {
  const start = view.getUint32(0);
  if (start === 0x49492a00 || start === 0x4d4d002a) return 0;
  if (start >>> 16 !== 0xffd8) return -1;
  for (let at = 2; view.getUint8(at) === 0xff && view.getUint8(at + 1) !== 0xda; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at + 1) === 0xe1 && view.getUint32(at + 4) === 0x45786966) return at + 10;
  }
  return -1;
}

// The tags of one part: text, or the first number.
function readPart(view, block, offset, little) {
  const found = new Map();
  const first = block + offset;
  const count = Math.min(view.getUint16(first, little), 500);
  for (let at = first + 2; at < first + 2 + 12 * count; at += 12) {
    const [tag, type, length] = [view.getUint16(at, little), view.getUint16(at + 2, little), view.getUint32(at + 4, little)];
    const inside = (BYTES[type] ?? 0) * length <= 4;
    const where = inside ? at + 8 : block + view.getUint32(at + 8, little);
    if (type === 2 && length < 40) {
      found.set(tag, String.fromCharCode(...new Uint8Array(view.buffer, where, length)).replace(/\0.*$/s, "").trim());
    } else if (type === 3) found.set(tag, view.getUint16(where, little));
    else if (type === 4) found.set(tag, view.getUint32(where, little));
    else if (type === 5) found.set(tag, view.getUint32(where, little) / view.getUint32(where + 4, little));
  }
  return found;
}

export async function readCapture(file) {
  try {
    const view = new DataView(await file.slice(0, HEAD_BYTES).arrayBuffer());
    const block = findBlock(view);
    if (block < 0) return null;
    const little = view.getUint16(block) === 0x4949;
    const main = readPart(view, block, view.getUint32(block + 4, little), little);
    const tags = readPart(view, block, main.get(EXIF_PART), little);
    const [day, time] = tags.get(TIME).split(" ");
    const fraction = /^\d+$/.test(tags.get(FRACTION) ?? "") ? `.${tags.get(FRACTION).slice(0, 6)}` : "";
    const numbers = { seconds: tags.get(SECONDS), stop: tags.get(STOP), speed: tags.get(SPEED) };
    if (!Object.values(numbers).every((each) => each > 0 && Number.isFinite(each))) return null;
    return { taken_at: `${day.replaceAll(":", "-")}T${time}${fraction}`, ...numbers, flash: Boolean((tags.get(FLASH) ?? 0) & 1) };
  } catch {
    return null; // cut off, or written otherwise: workers will look at it
  }
}

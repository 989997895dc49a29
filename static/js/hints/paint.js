// A surface painted with a brush: a mask as large as the engine looks at, sent as a PNG file with one bit a pixel.
const SIDE = 768;
const BRUSH = 28;
const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

const TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});
const checksum = (bytes) => {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};
const chunk = (type, content) => {
  const bytes = new Uint8Array(12 + content.length);
  const numbers = new DataView(bytes.buffer);
  numbers.setUint32(0, content.length);
  bytes.set([...type].map((letter) => letter.charCodeAt(0)), 4);
  bytes.set(content, 8);
  numbers.setUint32(8 + content.length, checksum(bytes.subarray(4, 8 + content.length)));
  return bytes;
};

// A PNG file of the pixels that are not transparent, in base64.
async function encode({ data, width, height }) {
  const row = 1 + Math.ceil(width / 8);
  const bits = new Uint8Array(row * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (data[4 * (y * width + x) + 3] > 127) bits[y * row + 1 + (x >> 3)] |= 128 >> (x & 7);
    }
  }
  const packed = new Blob([bits]).stream().pipeThrough(new CompressionStream("deflate"));
  const content = new Uint8Array(await new Response(packed).arrayBuffer());
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header[8] = 1;
  const file = [new Uint8Array(SIGNATURE), chunk("IHDR", header), chunk("IDAT", content), chunk("IEND", new Uint8Array())];
  let text = "";
  for (const part of file) for (const byte of part) text += String.fromCharCode(byte);
  return btoa(text);
}

export function makePaint(desk, view, chosen) {
  const field = desk.querySelector("#mask");
  const none = desk.querySelector("[name=none]");
  const picture = view.canvas.querySelector("img");
  const scale = SIDE / Math.max(picture.naturalWidth, picture.naturalHeight);
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(picture.naturalWidth * scale),
    height: Math.round(picture.naturalHeight * scale),
  });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.lineCap = pen.lineJoin = "round";
  let isUsed = false;

  const color = () => { pen.strokeStyle = pen.fillStyle = "#000"; };
  const fillPoints = (points) => {
    pen.beginPath();
    for (const pair of points.split(" ")) {
      const [x, y] = pair.split(",").map(Number);
      pen.lineTo(x * canvas.width, y * canvas.height);
    }
    pen.fill();
  };
  const save = () => {
    view.encoding = encode(pen.getImageData(0, 0, canvas.width, canvas.height)).then((text) => {
      field.value = text;
      field.checked = true;
      if (none) none.checked = false;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
  };
  const remember = () => {
    const before = pen.getImageData(0, 0, canvas.width, canvas.height);
    view.remember(() => {
      pen.putImageData(before, 0, 0);
      save();
    });
  };
  const load = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const pixels = pen.getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < pixels.data.length; at += 4) {
      pixels.data[at + 3] = pixels.data[at] > 0 ? 255 : 0;
      pixels.data[at] = 0;
      pixels.data[at + 1] = 0;
      pixels.data[at + 2] = 0;
    }
    pen.putImageData(pixels, 0, 0);
  };

  // The painted mask takes the place of the chosen pieces, and comes back from it where its field is unticked.
  const show = () => {
    isUsed = field.checked;
    view.canvas.classList.toggle("painted", isUsed);
  };
  field.addEventListener("change", show);
  none?.addEventListener("change", () => { if (none.checked) { field.checked = false; show(); } });
  return {
    isUsed: () => isUsed,
    use: async () => {
      if (isUsed) return;
      view.canvas.append(canvas);
      color();
      pen.clearRect(0, 0, canvas.width, canvas.height);
      if (field.value && field.checked) await load(field.value);
      else chosen().forEach(fillPoints);
      field.checked = true;
      field.closest("[data-painted]").hidden = false;
      show();
      if (!field.value) save();
    },
    fillPoints: (points) => {
      remember();
      fillPoints(points);
      save();
    },
    // Choose a piece as a whole, or take it out where it is painted at the pointer.
    fill: (points, event) => {
      const [x, y] = view.place(event);
      const isOn = pen.getImageData(Math.min(canvas.width - 1, x * canvas.width), Math.min(canvas.height - 1, y * canvas.height), 1, 1).data[3] > 127;
      remember();
      pen.globalCompositeOperation = isOn ? "destination-out" : "source-over";
      fillPoints(points);
      pen.globalCompositeOperation = "source-over";
      save();
    },
    stroke: (event, erases) => {
      remember();
      pen.globalCompositeOperation = erases ? "destination-out" : "source-over";
      pen.lineWidth = (BRUSH * canvas.width) / view.canvas.clientWidth;
      const at = (each) => { const [x, y] = view.place(each); return [x * canvas.width, y * canvas.height]; };
      pen.beginPath();
      pen.moveTo(...at(event));
      pen.lineTo(...at(event));
      pen.stroke();
      view.follow(event, (each) => {
        pen.lineTo(...at(each));
        pen.stroke();
      }, () => {
        pen.globalCompositeOperation = "source-over";
        save();
      });
    },
  };
}

import sharp from 'sharp';

/** A photograph as BMP, bottom row first: 24 bits a pixel, 8 by a palette of greys, or 32 with masks that name the bits. */
export async function photoBmp(image: Buffer, form: 'colours' | 'palette' | 'masks'): Promise<Buffer> {
  const channels = { colours: 3, palette: 1, masks: 4 }[form];
  const upsideDown = sharp(image).flip();
  const drawn =
    form === 'palette'
      ? upsideDown.removeAlpha().greyscale()
      : form === 'masks'
        ? upsideDown.ensureAlpha()
        : upsideDown.removeAlpha();
  const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const rowBytes = width * channels;
  const padding = Buffer.alloc((4 - (rowBytes % 4)) % 4);
  const rows = Array.from({ length: height }, (_, row) => [
    swapRedAndBlue(data.subarray(row * rowBytes, (row + 1) * rowBytes), channels),
    padding,
  ]);
  const between = { colours: Buffer.alloc(0), palette: greys(), masks };
  return Buffer.concat([header(width, height, form), between[form], ...rows.flat()]);
}

/** BITMAPFILEHEADER and BITMAPINFOHEADER. */
function header(width: number, height: number, form: 'colours' | 'palette' | 'masks'): Buffer {
  const [bits, compression, between] = {
    colours: [24, 0, 0] as const,
    palette: [8, 0, 1024] as const,
    masks: [32, 3, 12] as const,
  }[form];
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + between + Math.ceil((width * bits) / 32) * 4 * height, 2);
  head.writeUInt32LE(54 + between, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  return head;
}

/** Red, green, blue. */
const masks = Buffer.from('0000ff0000ff0000ff000000', 'hex');

function greys(): Buffer {
  return Buffer.from(Array.from({ length: 256 }, (_, grey) => [grey, grey, grey, 0]).flat());
}

function swapRedAndBlue(row: Buffer, channels: number): Buffer {
  if (channels === 1) return row;
  const swapped = Buffer.from(row);
  for (let at = 0; at + 2 < row.length; at += channels) {
    swapped[at] = row[at + 2] ?? 0;
    swapped[at + 2] = row[at] ?? 0;
  }
  return swapped;
}

import sharp from 'sharp';

/** Record, number of the dataset, and its text: a string stands for its UTF-8. */
export type IptcDataset = readonly [record: number, dataset: number, text: string | Uint8Array];

export const keyword = (text: string | Uint8Array): IptcDataset => [2, 25, text];
export const city = (text: string | Uint8Array): IptcDataset => [2, 90, text];
export const charset = (sequence: string): IptcDataset => [1, 90, sequence];

/** A small JPEG with these datasets (IIM 4.2) in the resource block where Photoshop keeps them, in this order. */
export async function iptcJpeg(...datasets: readonly IptcDataset[]): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  if (datasets.length === 0) return jpeg;
  const iptc = iptcBytes(datasets);
  const resource = Buffer.concat([
    ...[Buffer.from('8BIM\x04\x04\0\0', 'latin1'), uint32(iptc.length), iptc],
    Buffer.alloc(iptc.length % 2),
  ]);
  const block = Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), resource]);
  const marker = Buffer.concat([Buffer.from([0xff, 0xed]), uint16(block.length + 2)]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, block, jpeg.subarray(2)]);
}

/** The same image with a trailer of AFCP, in which another block of IPTC stands. */
export function withAfcp(jpeg: Buffer, ...datasets: readonly IptcDataset[]): Buffer {
  const iptc = iptcBytes(datasets);
  const start = jpeg.length;
  const header = Buffer.concat([Buffer.from('AXS!', 'latin1'), uint16(0x100), uint16(1), uint32(0)]);
  const entry = Buffer.concat([Buffer.from('IPTC', 'latin1'), uint32(iptc.length), uint32(start + 24)]);
  const end = Buffer.concat([Buffer.from('AXS!', 'latin1'), uint32(start), uint32(0)]);
  return Buffer.concat([jpeg, header, entry, iptc, end]);
}

/** The texts of a dataset as their bytes, in the resource block of a JPEG. */
export function iptcTexts(jpeg: Buffer, dataset: number): Buffer[] {
  const texts: Buffer[] = [];
  const tag = Buffer.from([0x1c, 2, dataset]);
  for (let at = jpeg.indexOf(tag); at >= 0; at = jpeg.indexOf(tag, at + 1)) {
    texts.push(jpeg.subarray(at + 5, at + 5 + jpeg.readUInt16BE(at + 3)));
  }
  return texts;
}

function iptcBytes(datasets: readonly IptcDataset[]): Buffer {
  return Buffer.concat(
    datasets.flatMap(([record, dataset, text]) => {
      const bytes = Buffer.from(text);
      return [Buffer.from([0x1c, record, dataset]), uint16(bytes.length), bytes];
    }),
  );
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * Size of a JPEG by its markers (ITU-T T.81, annex B), in pixels. Undefined for anything else: Exif before the frame,
 * which may rotate the image, or anything unusual. libvips then reads the header, which takes half a millisecond.
 */
export function plainJpegSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const length = view.getUint16(at + 2);
    // Baseline, extended and progressive, with Huffman coding: what libjpeg decodes.
    if (marker >= 0xc0 && marker <= 0xc2) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (!isSkippable(marker) || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** Tables, restart interval, comments and application data but for APP1, where Exif is. */
function isSkippable(marker: number): boolean {
  return (
    marker === 0xc4 ||
    marker === 0xdb ||
    marker === 0xdd ||
    marker === 0xfe ||
    (marker >= 0xe0 && marker <= 0xef && marker !== 0xe1)
  );
}

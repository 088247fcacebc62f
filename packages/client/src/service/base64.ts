/** Bytes at a time: a multiple of 3, so that the pieces join, and few enough to be arguments of one call. */
const pieceBytes = 3 * 8192;

export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes))));
  }
  return pieces.join('');
}

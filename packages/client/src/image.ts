import { LynceusError } from './error.js';

/**
 * An image: a Blob or File, its bytes, or the address from which the service shall fetch it. In Node,
 * `await openAsBlob(path)` of `node:fs` reads a file no sooner than it is sent.
 */
export type Image = Blob | ArrayBuffer | Uint8Array | ImageAddress;

export interface ImageAddress {
  /** An http or https address that the service can reach. */
  readonly url: string | URL;
}

/** The address, when the image is one; else its bytes. */
export function readImage(image: unknown): { readonly url: string } | { readonly blob: Blob } {
  if (image instanceof Blob) return { blob: image };
  if (image instanceof ArrayBuffer) return { blob: new Blob([image]) };
  if (image instanceof Uint8Array) return { blob: new Blob([unshare(image)]) };
  if (typeof image === 'object' && image !== null && 'url' in image) {
    if (typeof image.url === 'string' || image.url instanceof URL) return { url: String(image.url) };
  }
  throw new LynceusError(
    'wrong_parameters',
    'the image must be a Blob, a File, an ArrayBuffer, a Uint8Array or { url }',
  );
}

/** A Blob takes no shared memory, so what lies there is copied first. */
function unshare(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

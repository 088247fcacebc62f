import { LynceusError } from './error.js';

/**
 * A picture: a Blob or File, its bytes, or the address from which the service shall fetch it. In Node,
 * `await openAsBlob(path)` of `node:fs` reads a file no sooner than it is sent.
 */
export type Picture = Blob | ArrayBuffer | Uint8Array | PictureAddress;

export interface PictureAddress {
  /** An http or https address that the service can reach. */
  readonly url: string | URL;
}

/** The address, when the picture is one; else its bytes. */
export function readPicture(picture: Picture): { readonly url: string } | { readonly blob: Blob } {
  if (picture instanceof Blob) return { blob: picture };
  if (picture instanceof ArrayBuffer) return { blob: new Blob([picture]) };
  if (picture instanceof Uint8Array) return { blob: new Blob([unshare(picture)]) };
  if (typeof picture === 'object' && picture !== null && 'url' in picture)
    return { url: String(picture.url) };
  throw new LynceusError(
    'wrong_parameters',
    'the picture must be a Blob, a File, an ArrayBuffer, a Uint8Array or { url }',
  );
}

/** A Blob takes no shared memory, so what lies there is copied first. */
function unshare(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

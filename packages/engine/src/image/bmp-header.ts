import { EngineError } from '../errors.js';

/** How the pixels of a BMP are stored: [MS-WMF] 2.2.2.3 ff., and OS/2's older header of 12 bytes. */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly bottomUp: boolean;
  readonly bitsPerPixel: number;
  readonly storage: 'plain' | 'rle8' | 'rle4';
  /** Byte at which the pixels start. */
  readonly pixelsAt: number;
  /** Byte at which the palette starts, the bytes an entry takes, and the entries. */
  readonly palette: { readonly at: number; readonly entryBytes: 3 | 4; readonly entries: number };
  /** Bits of each channel in a 16 or 32 bit pixel; alpha 0: opaque. */
  readonly masks: {
    readonly red: number;
    readonly green: number;
    readonly blue: number;
    readonly alpha: number;
  };
}

const fileHeaderBytes = 14;
const plain = 0;
const rle8 = 1;
const rle4 = 2;
const bitFields = 3;
const alphaBitFields = 6;

/** Reads and checks the header of a BMP; no pixel is read. */
export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return parseHeader(view);
  } catch (error) {
    if (error instanceof RangeError) throw damaged('its header is cut short');
    throw error;
  }
}

function parseHeader(view: DataView): BmpHeader {
  const pixelsAt = view.getUint32(10, true);
  const headerBytes = view.getUint32(14, true);
  const ancient = headerBytes === 12;
  const width = ancient ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = ancient ? view.getUint16(20, true) : view.getInt32(22, true);
  const height = Math.abs(signedHeight);
  const bitsPerPixel = view.getUint16(ancient ? 24 : 28, true);
  const compression = ancient ? plain : view.getUint32(30, true);
  const coloursUsed = ancient ? 0 : view.getUint32(46, true);
  if (width < 1 || height < 1) throw damaged(`its size is ${width}x${signedHeight}`);
  checkStorage(bitsPerPixel, compression);

  const masked = compression === bitFields || compression === alphaBitFields;
  const masksAfterHeader = !masked || headerBytes !== 40 ? 0 : compression === bitFields ? 12 : 16;
  const maxEntries = bitsPerPixel <= 8 ? 2 ** bitsPerPixel : 0;
  return {
    width,
    height,
    bottomUp: signedHeight > 0,
    bitsPerPixel,
    storage: compression === rle8 ? 'rle8' : compression === rle4 ? 'rle4' : 'plain',
    pixelsAt,
    palette: {
      at: fileHeaderBytes + headerBytes + masksAfterHeader,
      entryBytes: ancient ? 3 : 4,
      entries: coloursUsed === 0 ? maxEntries : Math.min(coloursUsed, maxEntries),
    },
    masks: masked ? readMasks(view, headerBytes, compression) : usualMasks(bitsPerPixel),
  };
}

function checkStorage(bitsPerPixel: number, compression: number): void {
  const allowed: Readonly<Record<number, readonly number[]>> = {
    [plain]: [1, 2, 4, 8, 16, 24, 32],
    [rle8]: [8],
    [rle4]: [4],
    [bitFields]: [16, 32],
    [alphaBitFields]: [16, 32],
  };
  if (allowed[compression]?.includes(bitsPerPixel)) return;
  throw new EngineError(
    'image-unsupported',
    `a BMP of ${bitsPerPixel} bits with compression ${compression} is not supported; save it as PNG`,
  );
}

function readMasks(view: DataView, headerBytes: number, compression: number): BmpHeader['masks'] {
  const withAlpha = headerBytes >= 56 || compression === alphaBitFields;
  return {
    red: view.getUint32(54, true),
    green: view.getUint32(58, true),
    blue: view.getUint32(62, true),
    alpha: withAlpha ? view.getUint32(66, true) : 0,
  };
}

function usualMasks(bitsPerPixel: number): BmpHeader['masks'] {
  return bitsPerPixel === 16
    ? { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 }
    : { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 };
}

/** Bytes from one row to the next. */
export function rowStride({ width, bitsPerPixel }: BmpHeader): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

/** Where row `y`, counted from the top, starts among the stored rows. */
export function storedRow({ bottomUp, height }: BmpHeader, y: number): number {
  return bottomUp ? height - 1 - y : y;
}

export function damaged(reason: string): EngineError {
  return new EngineError('image-corrupt', `the image is truncated or damaged: ${reason}`);
}

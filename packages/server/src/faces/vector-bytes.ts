import { endianness } from 'node:os';

const floatBytes = 4;

/** How a vector is stored: little-endian 32-bit floats. */
export function toVectorBytes(vector: Float32Array): Uint8Array {
  const bytes = Buffer.from(new Float32Array(vector).buffer);
  return endianness() === 'LE' ? bytes : bytes.swap32();
}

/** The inverse. Throws for bytes that are no vector. */
export function fromVectorBytes(bytes: Uint8Array): Float32Array {
  if (bytes.byteLength === 0 || bytes.byteLength % floatBytes !== 0) {
    throw new Error(`a stored vector has ${bytes.byteLength} bytes`);
  }
  // Its own buffer: a row's bytes need not begin at a multiple of four.
  const own = Buffer.from(bytes);
  if (endianness() !== 'LE') own.swap32();
  return new Float32Array(own.buffer.slice(own.byteOffset, own.byteOffset + own.byteLength));
}

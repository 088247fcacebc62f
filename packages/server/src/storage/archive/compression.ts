interface Compression {
  readonly name: string;
  /** The program that unpacks it; null where there are several. */
  readonly unpack: string | null;
}

/** By the bytes that a file begins with. */
const compressions: readonly (readonly [bytes: string, compression: Compression])[] = [
  ['\x1f\x8b', { name: 'compressed by gzip', unpack: 'gunzip' }],
  ['\x28\xb5\x2f\xfd', { name: 'compressed by zstd', unpack: 'unzstd' }],
  ['\xfd7zXZ\0', { name: 'compressed by xz', unpack: 'unxz' }],
  ['BZh', { name: 'compressed by bzip2', unpack: 'bunzip2' }],
  ['PK\x03\x04', { name: 'a zip file', unpack: null }],
];

/**
 * How a file is packed that should be a plain one; undefined where it begins as none of these.
 * @param head its first bytes in Latin-1
 */
export function compressionOf(head: string): Compression | undefined {
  return compressions.find(([bytes]) => head.startsWith(bytes))?.[1];
}

import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';

const isCompressed = 1;
const isFolder = 2;

/**
 * One file of a binary Qt resource collection (`.rcc`): a header, a tree of nodes, names and data, all numbers big-endian
 * (`rcc.cpp` of Qt 5). Compressed by zlib or not at all.
 * @param path Within the collection, from its root: `/a/b.webp`.
 */
export async function readQtResource(file: string, path: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (bytes.toString('latin1', 0, 4) !== 'qres') throw new Error(`${file} is no Qt resource collection`);
  const nodeBytes = bytes.readUInt32BE(4) >= 2 ? 22 : 14;
  const [tree, data, names] = [8, 12, 16].map((at) => bytes.readUInt32BE(at));
  const nodeAt = (index: number) => (tree ?? 0) + index * nodeBytes;
  const nameOf = (index: number) => {
    const at = (names ?? 0) + bytes.readUInt32BE(nodeAt(index));
    const name = bytes.subarray(at + 6, at + 6 + 2 * bytes.readUInt16BE(at));
    return Buffer.from(name).swap16().toString('utf16le');
  };
  let node = 0;
  for (const wanted of path.split('/').filter(Boolean)) {
    const at = nodeAt(node);
    const children = (bytes.readUInt16BE(at + 4) & isFolder) !== 0 ? bytes.readUInt32BE(at + 6) : 0;
    const first = bytes.readUInt32BE(at + 10);
    const found = Array.from({ length: children }, (_, index) => first + index).find(
      (child) => nameOf(child) === wanted,
    );
    if (found === undefined) throw new Error(`${file} has no ${path}`);
    node = found;
  }
  const start = (data ?? 0) + bytes.readUInt32BE(nodeAt(node) + 10);
  const content = bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start));
  // Compressed content starts with its length before compression.
  const flags = bytes.readUInt16BE(nodeAt(node) + 4);
  return (flags & isCompressed) !== 0 ? inflateSync(content.subarray(4)) : content;
}

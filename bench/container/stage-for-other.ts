import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './buildah.js';

const script = fileURLToPath(new URL('../../../scripts/packing/stage-image.mjs', import.meta.url));
/** e_machine of ELF (System V ABI), and what builders of images call it. */
const others = { x64: { name: 'arm64', machine: 183 }, arm64: { name: 'amd64', machine: 62 } } as const;

/**
 * Does what the build of an image for the other processor does, and looks whether every binary is one of it: running them needs such
 * a machine.
 */
export async function stageForOther(scratch: string): Promise<string> {
  const other = process.arch === 'arm64' ? others.arm64 : others.x64;
  const folder = join(scratch, 'other');
  await runProgram(process.execPath, [script, folder, other.name]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const binaries = entries
    .filter((entry) => entry.isFile() && /\.(node|so)(\.\d+)*$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of binaries) {
    const machine = await machineOf(path);
    if (machine !== other.machine) throw new Error(`${path} is for another processor (${machine}).`);
  }
  if (binaries.length < 6) throw new Error(`Only ${binaries.length} binaries are there.`);
  return `${binaries.length} binaries of ${other.name}`;
}

/** Of a file in ELF of 64 bits, by its header; null of another one. */
async function machineOf(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(20), 0, 20, 0);
    return buffer.subarray(0, 4).toString('latin1') === '\x7fELF' ? buffer.readUInt16LE(18) : null;
  } finally {
    await file.close();
  }
}

import { readFile } from 'node:fs/promises';

/** The class of this machine's first core. `other` where `/proc/cpuinfo` cannot be read (Linux alone has it). */
export async function readCpuClass(): Promise<string> {
  return cpuClassOf(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''));
}

/** Makers whose cores of one instruction set take different times for the same graph. */
const makers: Readonly<Record<string, string>> = { AuthenticAMD: '-amd', GenuineIntel: '-intel' };

/**
 * What decides how fast graphs run here, and so which figures can be compared: the instructions of the CPU, as `avx2`, `avx512`,
 * `avx512-vnni` or `other`, and who made it where that is known.
 * @param cpuinfo proc_cpuinfo(5)
 */
export function cpuClassOf(cpuinfo: string): string {
  const read = (name: string) => new RegExp(`^${name}\\s*:(.*)$`, 'm').exec(cpuinfo)?.[1]?.trim() ?? '';
  const flags = new Set(read('flags').split(/\s+/));
  const maker = makers[read('vendor_id')] ?? '';
  if (flags.has('avx512f')) return `${flags.has('avx512_vnni') ? 'avx512-vnni' : 'avx512'}${maker}`;
  return flags.has('avx2') ? `avx2${maker}` : 'other';
}

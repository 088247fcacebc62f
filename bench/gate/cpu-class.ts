import { readFile } from 'node:fs/promises';

/** What decides how fast graphs run here, and so which figures can be compared: instructions of the CPU. */
export type CpuClass = 'avx2' | 'avx512' | 'avx512-vnni' | 'other';

/** The class of this machine's first core. `other` where `/proc/cpuinfo` cannot be read (Linux alone has it). */
export async function readCpuClass(): Promise<CpuClass> {
  return cpuClassOf(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''));
}

/** @param cpuinfo proc_cpuinfo(5) */
export function cpuClassOf(cpuinfo: string): CpuClass {
  const [, line = ''] = /^flags\s*:(.*)$/m.exec(cpuinfo) ?? [];
  const flags = new Set(line.trim().split(/\s+/));
  if (flags.has('avx512f')) return flags.has('avx512_vnni') ? 'avx512-vnni' : 'avx512';
  return flags.has('avx2') ? 'avx2' : 'other';
}

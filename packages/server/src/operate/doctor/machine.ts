import { readFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, release, totalmem } from 'node:os';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Finding, fine, formatBytes, notice, wrong } from './finding.js';

/** As the package promises; `engines` of package.json. */
const leastNode = [20, 19] as const;
const leastMemoryBytes = 1.5 * 2 ** 30;
/** Of what speeds recognition up, in the order of their age: cpuinfo's names. */
const cpuFeatures = ['avx2', 'avx512f', 'avx512_vnni', 'avx_vnni', 'asimd', 'asimddp', 'i8mm'] as const;

/** The system, Node.js, the processor and memory. */
export async function examineMachine(): Promise<readonly Finding[]> {
  return [
    await examineSystem(),
    examineNode(process.versions.node),
    await examineProcessor(),
    await examineMemory(),
  ];
}

async function examineSystem(): Promise<Finding> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="?([^"\n]{1,100})/m.exec(text)?.[1] ?? process.platform;
  const libc = glibcVersion();
  const found = `${name}, kernel ${release()}, ${libc === null ? 'no glibc' : `glibc ${libc}`}`;
  if (process.platform === 'linux' && libc !== null) return fine('system', found);
  return wrong(
    'system',
    found,
    'use Linux with glibc, such as Debian or Ubuntu; Alpine (musl) is not supported',
  );
}

const ProcessReport = Type.Object({
  header: Type.Object({ glibcVersionRuntime: Type.Optional(Type.String()) }),
});

function glibcVersion(): string | null {
  const report: unknown = process.report.getReport();
  return Value.Check(ProcessReport, report) ? (report.header.glibcVersionRuntime ?? null) : null;
}

export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1]);
  if (!isOld) return fine('Node.js', version);
  return wrong('Node.js', version, `install version ${leastNode.join('.')} or newer`);
}

async function examineProcessor(): Promise<Finding> {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  const flags = new Set(/^(?:flags|Features)\s*:(.*)$/m.exec(text)?.[1]?.trim().split(' '));
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const features = cpuFeatures.filter((feature) => flags.has(feature));
  const found = `${model}, ${availableParallelism()} cores, ${arch()}, ${features.join(' ') || 'no vector units that are known'}`;
  if (arch() !== 'x64' || flags.size === 0 || flags.has('avx2')) return fine('processor', found);
  return notice('processor', found, 'a processor with AVX2 is several times faster; none without is tested');
}

async function examineMemory(): Promise<Finding> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const available = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1] ?? Number.NaN) * 1024;
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  const total = isLimited ? limit : totalmem();
  const found =
    `${formatBytes(total)}${isLimited ? ' (a limit of this group of processes)' : ''}` +
    `${Number.isNaN(available) ? '' : `, ${formatBytes(available)} available`}`;
  if (total >= leastMemoryBytes) return fine('memory', found);
  return notice(
    'memory',
    found,
    'the service with one inference process takes about 700 MiB; set inferenceProcesses to 1, or give it more',
  );
}

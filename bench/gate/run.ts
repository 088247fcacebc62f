import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Images, writePhotos } from '../speed/images.js';
import { formatTable } from '../table.js';
import { readBaseline, writeBaseline } from './baseline.js';
import { readCpuClass } from './cpu-class.js';
import { summarise } from './judge.js';
import { measurePartRatios } from './part-ratios.js';
import { measurePeerRatios } from './peer-ratios.js';
import { reportVerdict } from './report.js';
import { measureServiceRatios } from './service-ratios.js';

/** As many as the longest measurement can look at several times in its share of five minutes. */
const imageCount = 8;

/**
 * Measures the ratios that are stable on one CPU class, and compares them with `bench/baseline.json`.
 * @param options.write Measures `rounds` times and makes the result the baseline of this machine's class.
 * @throws Error when a ratio is worse than its bounds allow.
 */
export async function runGate(options: {
  readonly data: string;
  readonly write: boolean;
  readonly rounds: number;
}): Promise<void> {
  const cpuClass = await readCpuClass();
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-gate-'));
  try {
    const { paths, jpegs } = await writePhotos(options.data, folder);
    const images = { paths: paths.slice(0, imageCount), jpegs: jpegs.slice(0, imageCount) };
    if (options.write) await renew(cpuClass, images, options);
    else await check(cpuClass, images, options.data);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(cpuClass: string, images: Images, data: string): Promise<void> {
  const known = (await readBaseline())[cpuClass];
  reportVerdict(cpuClass, await measure(images, data), known);
}

async function renew(
  cpuClass: string,
  images: Images,
  { data, rounds }: { readonly data: string; readonly rounds: number },
): Promise<void> {
  const runs: ReadonlyMap<string, number>[] = [];
  for (let round = 0; round < rounds; round++) runs.push(await measure(images, data));
  const ratios = summarise(runs, new Date().toISOString().slice(0, 10));
  const baseline = await readBaseline();
  // What could not be measured here keeps its figure.
  await writeBaseline({ ...baseline, [cpuClass]: { ...baseline[cpuClass], ...ratios } });
  const rows = Object.entries(ratios).map(([name, { median, spread }]) => [
    name,
    median.toFixed(3),
    `${(100 * spread).toFixed(1)} %`,
  ]);
  console.log(
    `Baseline of the CPU class ${cpuClass}, ${rounds} runs\n${formatTable([['ratio', 'median', 'spread'], ...rows])}`,
  );
}

async function measure(images: Images, data: string): Promise<ReadonlyMap<string, number>> {
  const service = await measureServiceRatios(images);
  const parts = await measurePartRatios(images);
  const peers = await measurePeerRatios(data);
  for (const reason of peers.missing) console.log(`Not measured: ${reason}`);
  return new Map([...service, ...parts, ...peers.ratios]);
}

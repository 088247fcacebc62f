import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { presentBundle } from '../single-service.js';
import { formatTable } from '../table.js';

/** One command for each image, one command for all with one process, and one with a process a core: in turns. */
export async function runPredictMany({
  data,
  images,
  rounds,
}: {
  data: string;
  images: number;
  rounds: number;
}) {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-predict-many-'));
  try {
    const names = (await readdir(join(data, 'coco/images'))).sort().slice(0, images);
    for (const name of names) await cp(join(data, 'coco/images', name), join(folder, name));
    const paths = names.map((name) => join(folder, name));
    const rows = [['round', 'one at a time, images/s', 'all, one process', 'all, a process a core', 'ratio']];
    for (let round = 1; round <= rounds; round += 1) {
      // Of commands for one image a few say all: each takes as long as the others.
      const few = paths.slice(0, Math.min(8, paths.length));
      const single = await rate(few.length, async () => {
        for (const path of few) await predict([path, '--json'], {});
      });
      const alone = await rate(paths.length, () =>
        predict([folder, '--json'], { LYNCEUS_INFERENCE_PROCESSES: '1' }),
      );
      const all = await rate(paths.length, () => predict([folder, '--json'], {}));
      rows.push([
        String(round),
        single.toFixed(2),
        alone.toFixed(2),
        all.toFixed(2),
        (all / single).toFixed(1),
      ]);
    }
    console.log(formatTable(rows));
    console.log(`${paths.length} images, ${availableParallelism()} cores`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rate(images: number, work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (images * 1000) / (performance.now() - startMs);
}

async function predict(words: readonly string[], env: Record<string, string>): Promise<void> {
  const script = `process.exitCode = await (await import('${presentBundle}')).runCommandLine(${JSON.stringify(['predict', ...words])})`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  if (code !== 0) throw new Error(`predict ended with ${code}`);
}

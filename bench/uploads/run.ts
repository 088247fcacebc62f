import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createProcessRunner, importUpload, type ProcessRunner, type UploadOutcome } from '@lynceus/engine';
import { readCoco, readImageNet } from '../accuracy/datasets.js';
import { formatTable } from '../table.js';
import { type PackagedModel, packagedModels, packageReader } from './packages.js';

const most = 60;

/** Imports model files of published packages like a customer's, and runs each on photographs. */
export async function runUploads({ data }: { readonly data: string }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-uploads-'));
  const runner = createProcessRunner({
    processes: 1,
    queueMax: 10_000,
    jobTimeoutMs: 120_000,
    maxRssBytes: 4 * 2 ** 30,
  });
  await runner.start();
  const rows = [['model', 'from', 'format', 'family', 'seconds to accept', 'ms a run', 'MiB', 'answer']];
  try {
    const filesOf = packageReader(dir);
    for (const [index, model] of packagedModels.entries()) {
      const paths = await filesOf(model);
      const start = performance.now();
      const outcome = await importUpload({
        id: `upload-${index}`,
        version: 'v1',
        title: model.name,
        files: paths.map((path) => ({ name: basename(path), path })),
        outDir: join(dir, `out-${index}`),
        ...(model.options && { options: model.options }),
      });
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const { record } = outcome;
      const answer = await measure(runner, model, outcome, data);
      const { ms, mb } = record.trial;
      rows.push([
        model.name,
        model.package,
        record.format,
        record.family,
        seconds,
        String(ms),
        String(mb),
        answer,
      ]);
    }
  } finally {
    await runner.close();
    await rm(dir, { recursive: true, force: true });
  }
  console.log(formatTable(rows));
}

async function measure(
  runner: ProcessRunner,
  { measure: kind }: PackagedModel,
  outcome: UploadOutcome,
  data: string,
): Promise<string> {
  if (kind === 'imagenet') return measureClasses(runner, outcome, data);
  if (kind === 'coco') return measureBoxes(runner, outcome, data);
  if (outcome.record.family === 'embedder') return 'tried on drawn images';
  const photos = (await readImageNet(data)).slice(0, 10);
  const titles: string[] = [];
  for (const { bytes } of photos) {
    titles.push((await ask(runner, outcome, bytes))[0] ?? 'nothing');
  }
  const counted = new Map<string, number>();
  for (const title of titles) counted.set(title, (counted.get(title) ?? 0) + 1);
  return [...counted].map(([title, count]) => `${title} x ${count}`).join(', ');
}

async function measureClasses(runner: ProcessRunner, outcome: UploadOutcome, data: string): Promise<string> {
  const photos = (await readImageNet(data)).slice(0, most);
  let right = 0;
  for (const { name, bytes } of photos) {
    const title = name
      .slice(10)
      .replace(/\.JPEG$/, '')
      .replaceAll('_', ' ')
      .toLowerCase();
    const [best] = await ask(runner, outcome, bytes);
    if (best?.toLowerCase() === title) right += 1;
  }
  return `first class right on ${right} of ${photos.length}`;
}

/** Photographs whose surest box is of a class that is there. */
async function measureBoxes(runner: ProcessRunner, outcome: UploadOutcome, data: string): Promise<string> {
  const photos = (await readCoco(data)).filter(({ truths }) => truths.length > 0).slice(0, most);
  let [asked, right] = [0, 0];
  for (const { bytes, truths } of photos) {
    const [best] = await ask(runner, outcome, bytes);
    if (best === undefined) continue;
    asked += 1;
    if (truths.some(({ classIndex }) => outcome.record.plan.labels[classIndex] === best)) right += 1;
  }
  return `surest box is of a class that is there on ${right} of ${asked} photographs with a box`;
}

/** Titles of what is seen, best first. */
async function ask(
  runner: ProcessRunner,
  { ref, record }: UploadOutcome,
  bytes: Uint8Array,
): Promise<string[]> {
  const task =
    record.family === 'classifier'
      ? ({ task: 'classify', options: { model: ref, topK: 1 } } as const)
      : ({ task: 'detect', options: { models: [ref], minScore: 0.3, nmsIou: 0.45 } } as const);
  const { results } = await runner.analyse(
    { source: { kind: 'bytes', bytes }, limits: { maxPixels: 50e6 }, tasks: [task] },
    { priority: 'interactive' },
  );
  const found = results.classify?.classes ?? results.detect?.detections ?? [];
  return found.map(({ label }) => label.title);
}

import { readFile, writeFile } from 'node:fs/promises';
import { serialize } from 'node:v8';
import { type ModelRef, openImage, type TaskCall } from '@lynceus/engine';
import { loadInsides } from './insides.js';

/** One run of a model with what it was fed. */
export interface RecordedRun {
  readonly dir: string;
  readonly feeds: Readonly<
    Record<
      string,
      {
        readonly data: Float32Array | Uint8Array | BigInt64Array | Int32Array;
        readonly dims: readonly number[];
      }
    >
  >;
}

/** Lets the tasks look at each image and writes the runs that they make of their models, one file an image. */
export async function recordRuns(
  images: readonly string[],
  calls: readonly TaskCall[],
): Promise<readonly string[]> {
  const { openModel, tasks } = await loadInsides();
  const models = new Map<string, Awaited<ReturnType<typeof openModel>>>();
  const paths: string[] = [];
  for (const path of images) {
    const runs: RecordedRun[] = [];
    const load = async (ref: ModelRef) => {
      const open = models.get(ref.dir) ?? (await openModel(ref, 'cpu'));
      models.set(ref.dir, open);
      return {
        ...open.model,
        run(feeds: RecordedRun['feeds']) {
          // Copied: a task may use its buffers again.
          runs.push(structuredClone({ dir: ref.dir, feeds }));
          return open.model.run(feeds);
        },
      };
    };
    const image = await openImage(
      { kind: 'bytes', bytes: await readFile(path) },
      { limits: { maxPixels: 50_000_000 }, detailPx: Number.MAX_SAFE_INTEGER },
    );
    const context = { image, load, earlier: {}, signal: new AbortController().signal };
    for (const { task, options } of calls) await tasks[task].run(context, options as never);
    paths.push(`${path}.runs`);
    await writeFile(`${path}.runs`, serialize(runs));
  }
  for (const { close } of models.values()) await close();
  return paths;
}

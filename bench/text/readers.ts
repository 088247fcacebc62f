import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, type Worker } from 'tesseract.js';
import type { BenchEngine } from '../engine.js';

/** Reads the text of an encoded image; lines are parted by blanks. */
export type Reader = (image: Buffer) => Promise<string>;

export function engineReader({ runner, ref }: BenchEngine): Reader {
  const models = {
    detector: ref('ppocr-v4-det'),
    recogniser: ref('ppocr-v4-rec'),
    angle: ref('ppocr-v2-angle'),
  };
  return async (bytes) => {
    const { results } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits: { maxPixels: 50_000_000 },
        tasks: [{ task: 'readText', options: { models } }],
      },
      { priority: 'batch' },
    );
    return (results.readText?.lines ?? []).map(({ text }) => text).join(' ');
  };
}

export interface Tesseract {
  readonly read: Reader;
  close(): Promise<void>;
}

/** Tesseract with the English data of its npm package (`4.0.0_best_int`), offline, with its own choice of layout. */
export async function startTesseract(): Promise<Tesseract> {
  const require = createRequire(import.meta.url);
  const langPath = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  const worker: Worker = await createWorker('eng', 1, { langPath, cacheMethod: 'none' });
  await worker.setParameters({ debug_file: '/dev/null' });
  return {
    read: async (image) => (await worker.recognize(image, { rotateAuto: true })).data.text,
    close: async () => {
      await worker.terminate();
    },
  };
}

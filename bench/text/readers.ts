import type { TextLanguage } from '@lynceus/engine';
import type { BenchEngine } from '../engine.js';

/** Reads the text of an encoded image; lines are joined by spaces. */
export type Reader = (image: Buffer) => Promise<string>;

/** @param languages those of the text; all unless given */
export function engineReader({ runner, ref }: BenchEngine, languages?: readonly TextLanguage[]): Reader {
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
        tasks: [{ task: 'readText', options: { models, ...(languages && { languages }) } }],
      },
      { priority: 'batch' },
    );
    return (results.readText?.lines ?? []).map(({ text }) => text).join(' ');
  };
}

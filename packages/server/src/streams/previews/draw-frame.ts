import { EngineError, type FrameSource, type ImageSource, type ModelRunner } from '@lynceus/engine';
import type { DrawnAs, ObjectMark } from './shown-frame.js';

export interface DrawFrameDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly accountId: number;
  readonly maxPixels: number;
}

/** Of JPEG, 1 to 100. */
const quality = 80;

/** A JPEG of a frame, in an inference process. Null where those are busy. Throws what else the engine throws. */
export async function drawFrame(
  { runner, accountId, maxPixels }: DrawFrameDeps,
  source: FrameSource | ImageSource,
  marks: readonly ObjectMark[],
  { hasBoxes, maxSidePx }: DrawnAs,
): Promise<Uint8Array | null> {
  try {
    const { results } = await runner.analyse(
      {
        source,
        limits: { maxPixels },
        tasks: [{ task: 'draw', options: { maxSidePx, quality, marks: hasBoxes ? marks : [] } }],
      },
      { priority: 'stream', owner: String(accountId) },
    );
    return results.draw?.jpeg ?? null;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'busy') return null;
    throw error;
  }
}

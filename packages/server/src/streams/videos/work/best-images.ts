import { type Box, EngineError, type FrameSource, type ModelRunner } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import type { Media } from '../../media.js';

/** Images of the tracks of a video, each from the frame in which it is seen best. */
export type BestImages = ReturnType<typeof createBestImages>;

interface BestImagesDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly media: Pick<Media, 'write' | 'files'>;
  readonly accountId: number;
  readonly videoId: number;
  readonly maxImages: number;
  readonly maxPixels: number;
  /** Called with the first error of the engine; others cost their image alike. */
  readonly onFailure: (error: EngineError) => void;
  readonly signal: AbortSignal;
}

const maxSidePx = 320;
/** Of the JPEG, 1 to 100. */
const quality = 80;
/** Of the size of the box, around it. */
const margin = 0.1;

export function createBestImages(deps: BestImagesDeps) {
  const { runner, media, accountId, videoId, maxImages, maxPixels, onFailure, signal } = deps;
  let hasFailed = false;
  const jpegs = new Map<number, Uint8Array>();
  const ids: string[] = [];
  const rows: Compilable[] = [];

  const draw = async (frame: FrameSource, box: Box): Promise<Uint8Array | null> => {
    const crop = { box: widened(box), imageSidePx: Math.max(frame.width, frame.height) };
    try {
      const { results } = await runner.analyse(
        {
          ...{ source: frame, limits: { maxPixels } },
          tasks: [{ task: 'draw', options: { maxSidePx, quality, marks: [], crop } }],
        },
        { priority: 'batch', owner: String(accountId), signal },
      );
      return results.draw?.jpeg ?? null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EngineError)) throw error;
      if (!hasFailed) onFailure(error);
      hasFailed = true;
      return null;
    }
  };

  return {
    /**
     * Keeps the track as it is in this frame, in the place of what was kept of it, which stays where the engine fails at it. Resolves
     * when the frame is no longer needed.
     */
    async keep(trackId: number, frame: FrameSource, box: Box) {
      // As many as there may be are enough of those that are followed, too.
      if (!jpegs.has(trackId) && ids.length + jpegs.size >= maxImages) return;
      const jpeg = await draw(frame, box);
      if (jpeg !== null) jpegs.set(trackId, jpeg);
    },

    /** Writes the image of a track that has ended, if there is one; answers its id. */
    async write(trackId: number, personId: number | null): Promise<string | null> {
      const jpeg = jpegs.get(trackId);
      if (jpeg === undefined) return null;
      jpegs.delete(trackId);
      const owner = { videoId, personId };
      const { id, row } = await media.write(
        { accountId, kind: 'thumbnail', owner, mediaType: 'image/jpeg' },
        only(jpeg),
      );
      ids.push(id);
      rows.push(row);
      return id;
    },

    /** For the unit that names them. */
    rows: (): readonly Compilable[] => rows,

    /** Deletes what was written: no row names it. */
    async discard() {
      for (const id of ids) await media.files.remove(id);
    },
  };
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function widened({ xMin, yMin, xMax, yMax }: Box): Box {
  const [wide, high] = [margin * (xMax - xMin), margin * (yMax - yMin)];
  return { xMin: xMin - wide, yMin: yMin - high, xMax: xMax + wide, yMax: yMax + high };
}

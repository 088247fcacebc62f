import type { ImageSource } from '@lynceus/engine';
import type { Clock } from '../core/clock.js';
import type { Call, CallLedger } from '../recognition/call.js';
import type { KeepImage } from '../recognition/kept-images.js';
import { createFileId, createRecorder, writeSearchSummary } from '../recognition/record.js';
import type { Database } from '../storage/database.js';
import type { Perception } from './perception.js';
import type { SearchedFace, SearchResult } from './search.js';

/** Records a search as an analysis and settles its call, in one unit. Answers the `fileid`. */
export type RecordSearch = (
  call: Call,
  perception: Pick<Perception, 'id' | 'decisionSimilarity' | 'embedder'>,
  result: SearchResult,
  source: ImageSource,
) => Promise<string>;

export function createSearchRecorder(deps: {
  readonly database: Pick<Database, 'query'>;
  readonly ledger: Pick<CallLedger, 'settle'>;
  readonly clock: Clock;
  readonly keepImage: KeepImage;
}): RecordSearch {
  const recordAnalysis = createRecorder(deps.database);
  return async ({ reservation }, perception, result, source) => {
    const fileid = createFileId(reservation.caller.accountId);
    const { kind, width, height, models, timingsMs, faces } = result;
    const record = {
      image: { kind, width, height },
      models,
      calibration: null,
      options: [
        {
          task: 'face_search',
          perceptionId: perception.id,
          decisionSimilarity: perception.decisionSimilarity,
          embedder: perception.embedder,
        },
      ],
      timingsMs,
      result: { faces: faces.map(toRecorded) },
    };
    const image = await deps.keepImage(reservation, { fileid, kind, source });
    const names = faces.flatMap(({ candidates }) =>
      candidates.filter(({ isMatch }) => isMatch).map(({ person }) => person.name),
    );
    const summary = writeSearchSummary(names, models);
    const nowMs = deps.clock();
    const statements = recordAnalysis(reservation, { fileid, nowMs, record, summary, image });
    await deps.ledger.settle(reservation, statements);
    return fileid;
  };
}

/** Without what would make the face known again. */
function toRecorded({ face, candidates, judgement }: SearchedFace) {
  const { box, score, points, quality } = face;
  return {
    box,
    score,
    points,
    quality,
    judgement,
    candidates: candidates.map(({ person, image, similarity, isMatch }) => ({
      personId: person.id,
      name: person.name,
      imageId: image.id,
      similarity,
      isMatch,
    })),
  };
}

import type { GeneralResult } from '../recognition/results.js';
import { toGeneralRecognition } from './general-recognition.js';
import { writeJson } from './json.js';

/** What was found in a frame of a stream, as v1 answers general recognition of an image, and of which frame it is. On one line. */
export function writeFrameTags(
  result: GeneralResult,
  { streamId, frameTime }: { readonly streamId: number; readonly frameTime: string },
): string {
  return writeJson({
    ...toGeneralRecognition(result, undefined),
    stream_id: streamId,
    frame_time: frameTime,
  });
}

import { readParts } from '../../recognition/parts.js';
import type { GeneralResult } from '../../recognition/results.js';
import type { ObjectMark, ShownFrame } from './shown-frame.js';

/** What a service says of a frame to others: `stream_preview.result`. No embedding is in a result. */
interface SharedFrame extends Pick<ShownFrame, 'width' | 'height' | 'result'> {
  readonly marks: readonly ObjectMark[];
}

export function writeShared({ width, height, result, marks }: SharedFrame): string {
  return JSON.stringify({
    ...{ width, height, marks },
    result: result && { ...result, parts: [...result.parts] },
  });
}

/** Written by services of this installation alone. */
export function readShared(text: string): SharedFrame {
  const {
    result,
    ...rest
  }: Omit<SharedFrame, 'result'> & {
    readonly result: (Omit<GeneralResult, 'parts'> & { readonly parts: readonly string[] }) | null;
  } = JSON.parse(text);
  return { ...rest, result: result && { ...result, parts: toParts(result.parts) } };
}

function toParts(names: readonly string[]): GeneralResult['parts'] {
  return names.length === 0 ? new Set() : readParts(names.join(','));
}

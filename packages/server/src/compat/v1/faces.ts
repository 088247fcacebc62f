import type { GeneralResult } from '../../recognition/results.js';
import { boxText } from '../coordinates.js';
import type { WireValue } from '../json.js';

/** The part `faces` of general recognition. */
export function toFaces({ faces, width, height }: GeneralResult): WireValue {
  return {
    face_count: faces.length,
    predictions: faces.map(({ box, person }) => ({
      face_name: person?.name ?? 'unknown',
      coordinates: boxText(box, width, height),
    })),
  };
}

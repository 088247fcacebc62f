import { createHash } from 'node:crypto';
import type { DropSettings } from '../drops/drop-settings.js';

/** How images of folders are looked at and what is written into them: as a drop does. */
export type TagSettings = Pick<
  DropSettings,
  'modelReference' | 'parts' | 'detail' | 'textLanguages' | 'keywords'
>;

/** By which a journal knows that an image was looked at with the same settings. */
export function fingerprintOf(settings: TagSettings, perception: string | null): string {
  const { modelReference, parts, detail, textLanguages, keywords } = settings;
  const { sources, minConfidence, maxKeywords, prefix, lowerCase, rawFiles } = keywords;
  // Without a perception there are no names to be sure of.
  const confidence = Object.entries(minConfidence).filter(([of]) => of !== 'names' || perception !== null);
  const text = JSON.stringify([
    ...[modelReference, [...parts].sort(), detail, [...textLanguages].sort(), perception],
    ...[[...sources].sort(), confidence.sort(), maxKeywords, prefix, lowerCase, rawFiles],
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

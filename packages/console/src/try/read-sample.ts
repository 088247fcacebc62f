import type { ChosenPicture } from '../kit/picture/picture-input.js';
import sampleUrl from './sample.jpg';

/** A picture for who has none at hand: a drawing of ours. */
export async function readSample(): Promise<ChosenPicture> {
  const picture = await (await fetch(sampleUrl)).blob();
  return { file: new File([picture], 'sample.jpg', { type: 'image/jpeg' }) };
}

import type { ChosenImage } from '../kit/image/image-input.js';
import sampleUrl from './sample.jpg';

/** An image for who has none at hand: a drawing of ours. */
export async function readSample(): Promise<ChosenImage> {
  const image = await (await fetch(sampleUrl)).blob();
  return { file: new File([image], 'sample.jpg', { type: 'image/jpeg' }) };
}

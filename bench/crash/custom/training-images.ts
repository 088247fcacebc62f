import { createVisitor } from '../../load/visitor.js';
import type { Service } from '../../service.js';
import { drawImage, drawn } from './draw-image.js';
import { call, filePart, listOf } from './stage.js';

/** Images of one class. */
const imagesOfClass = 8;
export const trainingImages = imagesOfClass * drawn.length;

/** A dataset to train on; answers its id. */
export async function makeTrainingImages({ url }: Pick<Service, 'url'>, key: string): Promise<number> {
  const visitor = createVisitor(url);
  const stage = { visitor, key };
  const made = await call(stage, 'POST', '/api/datasets', { name: 'to train on', task: 'classification' });
  const id = Number(made.json['id']);
  for (const shape of drawn) {
    const form = new FormData();
    for (let count = 0; count < imagesOfClass; count += 1)
      form.append('file', filePart(await drawImage(shape)), `${shape}-${count}.jpg`);
    const { outcome, json } = await call(stage, 'POST', `/api/datasets/${id}/images?label=${shape}`, form);
    if (!listOf(json['data']).every(({ outcome }) => outcome === 'added'))
      throw new Error(`images: ${outcome}`);
  }
  await visitor.close();
  return id;
}

import { createVisitor } from '../../load/visitor.js';
import type { Service } from '../../service.js';
import { drawn, drawPicture } from './draw-picture.js';
import { createCustomLedger } from './ledger.js';
import { call, filePart, listOf } from './stage.js';

/** Pictures of one class. */
const picturesOfClass = 8;
export const trainingPictures = picturesOfClass * drawn.length;

/** A dataset to train on; answers its id. */
export async function makeTrainingPictures(
  { url }: Pick<Service, 'url'>,
  key: string,
  dataDir: string,
): Promise<number> {
  const visitor = createVisitor(url);
  const stage = { visitor, key, dataDir, ledger: createCustomLedger() };
  const made = await call(stage, 'POST', '/api/datasets', { name: 'to train on', task: 'classification' });
  const id = Number(made.json['id']);
  for (const shape of drawn) {
    const form = new FormData();
    for (let count = 0; count < picturesOfClass; count += 1)
      form.append('file', filePart(await drawPicture(shape)), `${shape}-${count}.jpg`);
    const { told, json } = await call(stage, 'POST', `/api/datasets/${id}/pictures?label=${shape}`, form);
    if (!listOf(json['data']).every(({ outcome }) => outcome === 'added'))
      throw new Error(`pictures: ${told}`);
  }
  await visitor.close();
  return id;
}

import { formOf } from '../../load/form.js';
import { readObject } from '../../load/outcome.js';
import { drawImage } from './draw-image.js';
import { type CustomStage, call, listOf } from './stage.js';

/** Models that do not answer by their active version, and incomplete reports, as descriptions. */
export async function findSilentModels(
  stage: CustomStage,
  modelIds: readonly number[],
): Promise<readonly string[]> {
  const silent: string[] = [];
  for (const id of modelIds) silent.push(...(await silenceOf(stage, id)));
  return silent;
}

async function silenceOf(stage: CustomStage, id: number): Promise<readonly string[]> {
  const current = async () => (await call(stage, 'GET', `/api/models/${id}`)).json['version'];
  const number = await current();
  if (typeof number !== 'number') return [];
  const { json: version } = await call(stage, 'GET', `/api/models/${id}/versions/${number}`);
  const labels = Array.isArray(version['labels']) ? version['labels'].map(String) : [];
  const path = `/predict/image?model_id=${id}&apikey=${stage.key}`;
  const { outcome, text } = await stage.visitor.ask({
    method: 'POST',
    path,
    ...formOf(await drawImage('circle')),
  });
  // A running training job activated its version meanwhile.
  if ((await current()) !== number) return [];
  const titles = listOf(readObject(text)['predictions']).map((prediction) =>
    String(prediction['class_title']),
  );
  const isRight = titles.length > 0 && titles.every((title) => labels.includes(title));
  const silence = isRight
    ? []
    : [
        `model ${id} answers ${outcome} with ${titles.join(', ')}; its version ${number} has ${labels.join(', ')}`,
      ];
  if (version['origin'] !== 'training') return silence;
  const report = await call(stage, 'GET', `/api/models/${id}/versions/${number}/report`);
  return report.outcome === '200' && report.json['kind'] === 'classification' && 'measuredOn' in report.json
    ? silence
    : [...silence, `the report of version ${number} of model ${id} is answered ${report.outcome}`];
}

import { startEngine } from '../engine.js';
import type { BareLoopTask } from './bare-loop.js';
import type { BareModel } from './bare-work.js';
import { generalCalls } from './general-calls.js';
import type { Images } from './images.js';
import type { Request } from './load.js';
import { recordRuns } from './record-runs.js';
import { fastDetection, generalRecognition } from './requests.js';

/** A call of the service, and the work of its bare loop. */
export interface Operation {
  readonly name: string;
  readonly requestFor: (key: string, jpeg: Buffer) => Request;
  readonly work: BareLoopTask['work'];
}

export async function prepareOperations({ paths }: Images): Promise<readonly Operation[]> {
  const engine = await startEngine();
  try {
    const { ref } = engine;
    const models = {
      ssd: { dir: ref('coco-ssd').dir, width: 300, height: 300, thresholds: true },
      centerNet: { dir: ref('centernet-coco').dir, width: 512, height: 384, thresholds: true },
      classifier: { dir: ref('inception-v3').dir, width: 299, height: 299, thresholds: false },
    } satisfies Record<string, BareModel>;
    return [
      { name: 'v2, coco-fast', requestFor: fastDetection, work: { models: [models.ssd] } },
      {
        name: 'v1, classes and objects, basic',
        requestFor: (key, jpeg) => generalRecognition(key, jpeg, 'basic', 'classes,objects'),
        work: { models: [models.ssd, models.centerNet, models.classifier] },
      },
      {
        name: 'v1, all parts, basic',
        requestFor: (key, jpeg) => generalRecognition(key, jpeg, 'basic', 'classes,objects,texts,faces'),
        work: { recordings: await recordRuns(paths, await generalCalls(engine, 'basic')) },
      },
    ];
  } finally {
    await engine.close();
  }
}

import { areaRanges, averagePrecision, judge, type ModelRef } from '@lynceus/engine';
import { startEngine } from '../engine.js';
import { type Half, isInHalf } from '../half.js';
import { formatTable, share } from '../table.js';
import { bootstrapInterval } from './bootstrap.js';
import { readCoco } from './datasets.js';
import { askAll } from './detection.js';
import { labelIdsOf } from './label-ids.js';
import { composeScenes } from './scenes.js';
import { detectorThroughEngine } from './through-engine.js';

const grid = { columns: 4, rows: 3 };

/** COCO's average precision by size of the objects in large scenes, as a whole and in slices. */
export async function runSmallObjects({
  data,
  half,
}: {
  readonly data: string;
  readonly half: Half | undefined;
}): Promise<void> {
  const engine = await startEngine();
  try {
    const photos = (await readCoco(data)).filter(({ name }) => isInHalf(name, half));
    const scenes = await composeScenes(photos, grid);
    const rows = [['', 'small', 'medium', 'large', 'all', 'ms a scene']];
    for (const [title, ids] of [
      ['coco-fast', ['coco-ssd']],
      ['coco-accurate', ['coco-ssd', 'centernet-coco']],
    ] as const) {
      const models: readonly ModelRef[] = ids.map((id) => engine.ref(id));
      const labels = await labelIdsOf(models[0]);
      for (const detail of ['normal', 'high'] as const) {
        const ask = detectorThroughEngine(engine.runner, models, labels, detail);
        const startMs = performance.now();
        const answers = await askAll(scenes, ask, { minScore: 0, nmsIou: 0.6 });
        const ms = (performance.now() - startMs) / scenes.length;
        const figure = (range?: (typeof areaRanges)[keyof typeof areaRanges]) => {
          const judgement = judge(answers, labels.length, range);
          const { low, high } = bootstrapInterval(
            scenes.length,
            (weights) => averagePrecision(judgement, weights).ap,
            { rounds: 300 },
          );
          return `${share(averagePrecision(judgement).ap)} (${share(low)} to ${share(high)})`;
        };
        const { small, medium, large } = areaRanges;
        rows.push([
          `${title}, ${detail}`,
          ...[figure(small), figure(medium), figure(large), figure()],
          ms.toFixed(0),
        ]);
      }
    }
    const { width, height } = { width: grid.columns * 640, height: grid.rows * 480 };
    console.log(`${scenes.length} scenes of ${width}x${height}; AP with 95 % intervals over scenes`);
    console.log(formatTable(rows));
  } finally {
    await engine.close();
  }
}

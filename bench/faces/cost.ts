import { defaultFaceChain, faceChains, modelsOfFaceChain } from '@lynceus/engine';
import sharp from 'sharp';
import type { BenchEngine } from '../engine.js';
import { formatTable } from '../table.js';

const repeats = 5;

/** Milliseconds of an image without faces, by its size: what looking for faces costs when there are none. */
export async function measureCost({ runner, ref }: BenchEngine): Promise<void> {
  const models = modelsOfFaceChain(defaultFaceChain, (id) => ref(id));
  const { minScore } = faceChains[defaultFaceChain];
  const rows = [['image without a face', 'decode ms', 'smallest face 16 px', '32 px', '64 px']];
  for (const [width, height] of [
    [640, 480],
    [1600, 1200],
    [4000, 3000],
  ] as const) {
    const bytes = await noise(width, height);
    const times = [];
    let decodeMs = 0;
    for (const minFacePx of [16, 32, 64]) {
      const runs: number[] = [];
      for (let run = 0; run <= repeats; run++) {
        const { timingsMs } = await runner.analyse(
          {
            source: { kind: 'bytes', bytes },
            limits: { maxPixels: 50_000_000 },
            tasks: [
              { task: 'faces', options: { models, minScore, minFacePx, embed: true, liveness: false } },
            ],
          },
          { priority: 'batch' },
        );
        if (run > 0) runs.push(timingsMs['faces'] ?? 0);
        decodeMs = timingsMs['decode'] ?? 0;
      }
      times.push(runs.sort((a, b) => a - b)[Math.floor(repeats / 2)] ?? 0);
    }
    rows.push([`${width}x${height}`, ...[decodeMs, ...times].map((ms) => ms.toFixed(0))]);
  }
  console.log(`${formatTable(rows)}\n`);
}

function noise(width: number, height: number): Promise<Buffer> {
  const background = { r: 128, g: 128, b: 128 };
  return sharp({
    create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .blur(3)
    .jpeg()
    .toBuffer();
}

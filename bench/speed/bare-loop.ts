import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';

/**
 * What the service is held against: a process that does nothing but decode the same JPEGs, resize them to each
 * model's input and run the graph, one thread, in a loop.
 */
export interface BareLoopTask {
  readonly pictures: readonly string[];
  readonly models: readonly BareModel[];
  readonly seconds: number;
}

export interface BareModel {
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  /** Detectors take thresholds. */
  readonly thresholds: boolean;
}

export interface BareLoopResult {
  readonly pictures: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

async function runBareLoop(task: BareLoopTask): Promise<BareLoopResult> {
  sharp.concurrency(1);
  sharp.cache(false);
  const jpegs = await Promise.all(task.pictures.map((path) => readFile(path)));
  const sessions = await Promise.all(
    task.models.map(({ dir }) =>
      InferenceSession.create(join(dir, 'model.onnx'), { intraOpNumThreads: 1, interOpNumThreads: 1 }),
    ),
  );
  const once = async (jpeg: Buffer) => {
    const whole =
      task.models.length > 1
        ? await sharp(jpeg).autoOrient().raw().toBuffer({ resolveWithObject: true })
        : null;
    for (const [index, { width, height, thresholds }] of task.models.entries()) {
      const source = whole ? sharp(whole.data, { raw: whole.info }) : sharp(jpeg).autoOrient();
      const pixels = await source.resize(width, height, { fit: 'fill' }).raw().toBuffer();
      const image = new Tensor('uint8', pixels, [1, height, width, 3]);
      const cuts = thresholds
        ? {
            score_threshold: new Tensor('float32', Float32Array.of(0.2), [1]),
            iou_threshold: new Tensor('float32', Float32Array.of(0.45), [1]),
          }
        : {};
      await sessions[index]?.run({ image, ...cuts });
    }
  };
  for (const jpeg of jpegs) await once(jpeg);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let pictures = 0;
  while (performance.now() - startedAt < task.seconds * 1000) {
    const jpeg = jpegs[pictures % jpegs.length];
    if (!jpeg) break;
    await once(jpeg);
    pictures++;
  }
  const cpu = process.cpuUsage(cpuBefore);
  return {
    pictures,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

process.on('message', (task: BareLoopTask) => {
  runBareLoop(task).then(
    (result) => process.send?.(result, () => process.exit(0)),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

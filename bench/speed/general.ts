import { availableParallelism } from 'node:os';
import { startEngine } from '../engine.js';
import { startService } from '../service.js';
import { formatTable } from '../table.js';
import { generalCalls } from './general-calls.js';
import { type Images, writeLargeImages } from './images.js';
import { sendLoad } from './load.js';
import { generalRecognition } from './requests.js';

const allParts = 'classes,objects,texts,faces';
const partNames = ['decode', 'detect', 'classify', 'segment', 'readText', 'faces'] as const;
/** Each image is looked at this often; the first time is not counted. */
const repeats = 4;

/** General recognition with all parts, dense: where the time goes, alone and under load. */
export async function measureGeneral(
  small: Images,
  { data, folder, seconds }: { readonly data: string; readonly folder: string; readonly seconds: number },
): Promise<string> {
  const { enlarged, mosaic } = await writeLargeImages(data, folder);
  const kinds = [
    { name: '640x480', images: small },
    { name: '12 megapixels, enlarged', images: enlarged },
    { name: '11 megapixels, 36 photographs', images: mosaic },
  ];
  const parts = await timeParts(kinds);
  const rows = [['all parts, dense', '1 client ms', ...partNames, 'images/s', 'p50 ms', 'p95 ms']];
  const service = await startService();
  try {
    for (const [index, { name, images }] of kinds.entries()) {
      const requests = images.jpegs.map((jpeg) => generalRecognition(service.key, jpeg, 'dense', allParts));
      const forSeconds = (clients: number, atLeast: number) => ({
        clients,
        until: (sent: number, ms: number) => sent >= atLeast && ms >= seconds * 1000,
      });
      await sendLoad(service.url, requests, forSeconds(2, 8));
      const alone = await sendLoad(service.url, requests, forSeconds(1, 8));
      const full = await sendLoad(service.url, requests, forSeconds(4 * availableParallelism(), 24));
      rows.push([
        name,
        alone.p50Ms.toFixed(0),
        ...(parts[index] ?? []).map((ms) => ms.toFixed(0)),
        full.perSecond.toFixed(2),
        full.p50Ms.toFixed(0),
        full.p95Ms.toFixed(0),
      ]);
    }
  } finally {
    await service.stop();
  }
  return `milliseconds by part in one process; at one client the processes share an image\n${formatTable(rows)}\n`;
}

/** Mean milliseconds of each part, of each kind of image; nothing else runs, and one process does it all. */
async function timeParts(kinds: readonly { readonly images: Images }[]): Promise<number[][]> {
  const engine = await startEngine();
  try {
    const tasks = await generalCalls(engine, 'dense');
    const means: number[][] = [];
    for (const { images } of kinds) {
      const sums = partNames.map(() => 0);
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (const bytes of images.jpegs) {
          const { timingsMs } = await engine.runner.analyse(
            { source: { kind: 'bytes', bytes }, limits: { maxPixels: 50_000_000 }, tasks },
            { priority: 'interactive' },
          );
          if (repeat === 0) continue;
          for (const [partIndex, name] of partNames.entries())
            sums[partIndex] = (sums[partIndex] ?? 0) + (timingsMs[name] ?? 0);
        }
      }
      means.push(sums.map((sum) => sum / ((repeats - 1) * images.jpegs.length)));
    }
    return means;
  } finally {
    await engine.close();
  }
}

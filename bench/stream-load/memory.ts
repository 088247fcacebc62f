import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageOf } from '../processes.js';
import type { Service } from '../service.js';
import { formatTable } from '../table.js';
import { startCameras } from './cameras.js';
import { streamsOf } from './streams-of-service.js';

const cameras = 2;
const settings = { fps: 2, hasGate: false, clips: true };
/** In which the first models are loaded and the first clips written. */
const settleSeconds = 60;
const rowsOfTable = 12;

/**
 * Memory and open files of a service with two cameras for hours, with snapshots and clips. Their film ends every few minutes, so they
 * also connect again.
 */
export async function runMemory(
  { service, dir }: { readonly service: Service; readonly dir: string },
  seconds: number,
): Promise<void> {
  const opened = await startCameras(dir);
  const streams = streamsOf(service, opened.address);
  const rows = [
    [
      'after',
      'service, MB',
      'all processes, MB',
      'processes',
      'open files',
      'tracks',
      'frames/s of each camera',
    ],
  ];
  try {
    await streams.add(cameras, settings);
    await sleep(settleSeconds * 1000);
    for (let row = 0; row <= rowsOfTable; row += 1) {
      const { processes, residentBytes } = await usageOf(service.pid);
      const megabytes = (bytes = 0) => (bytes / 1e6).toFixed(0);
      rows.push([
        `${((settleSeconds + (row * seconds) / rowsOfTable) / 60).toFixed(0)} min`,
        megabytes(processes[0]?.residentBytes),
        megabytes(residentBytes),
        String(processes.length),
        String((await readdir(`/proc/${service.pid}/fd`)).length),
        String(await streams.countTracks()),
        (await streams.readFps()).map((fps) => fps.toFixed(1)).join(', '),
      ]);
      console.log(rows.at(-1)?.join('  '));
      if (row < rowsOfTable) await sleep((seconds * 1000) / rowsOfTable);
    }
  } finally {
    await streams.removeAll();
    await opened.stop();
  }
  console.log(formatTable(rows));
}

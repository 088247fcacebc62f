import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient } from '@lynceus/client';
import { runCommand, startService } from '../service.js';
import { type Prepared, type Resource, resources } from './resources.js';

/** What an ordinary request of one account takes, alone and beside another account that asks without end. */
export interface Isolation {
  readonly resource: string;
  readonly requests: number;
  readonly aloneMs: number;
  readonly besideMs: number;
  readonly ratio: number;
  /**
   * Answered requests of the account that asks without end, for each ordinary one. Where both ask for the same, and each has half of
   * what they share, it is one; where all waited in one line, it would be as many as it has under way. Other programs on the machine do
   * not change it.
   */
  readonly passed: number;
}

const settings = { LYNCEUS_INFERENCE_PROCESSES: '2' };

/** @param onRow called after each resource */
export async function measureIsolation(
  { times = 20, only }: { readonly times?: number; readonly only?: string | undefined } = {},
  onRow: (row: Isolation) => void = () => undefined,
): Promise<readonly Isolation[]> {
  const service = await startService(settings);
  try {
    const made = await runCommand(['keys', 'create', '--account', 'endless', '--json'], {
      LYNCEUS_DATA_DIR: service.dataDir,
    });
    const { key } = JSON.parse(made) as { readonly key: string };
    const { url: baseUrl } = service;
    const own = createLynceusClient({ baseUrl, apiKey: service.key });
    const other = createLynceusClient({ baseUrl, apiKey: key });
    const rows: Isolation[] = [];
    for (const resource of resources(times)) {
      if (only !== undefined && !resource.name.includes(only)) continue;
      const row = await measure(resource, await resource.prepare(own), await resource.prepare(other));
      rows.push(row);
      onRow(row);
    }
    return rows;
  } finally {
    await service.stop();
  }
}

async function measure(
  { name, times, atOnce }: Resource,
  own: Prepared,
  other: Prepared,
): Promise<Isolation> {
  const { signal } = new AbortController();
  // Models are loaded, connections are open.
  await own.ordinary(signal);
  const aloneMs = await medianOf(times, () => own.ordinary(signal));
  const end = new AbortController();
  let answered = 0;
  const loops = Array.from({ length: atOnce }, async () => {
    while (!end.signal.aborted) {
      await other.endless(end.signal).then(
        () => {
          answered += 1;
        },
        // Refused because of its limits: it asks again at once, as a client without manners does.
        () => sleep(10),
      );
    }
  });
  while (answered === 0) await sleep(20);
  answered = 0;
  const besideMs = await medianOf(times, () => own.ordinary(signal));
  const passed = answered / times;
  end.abort();
  await Promise.all(loops);
  return { resource: name, requests: times, aloneMs, besideMs, ratio: besideMs / aloneMs, passed };
}

async function medianOf(times: number, ask: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const since = performance.now();
    await ask();
    all.push(performance.now() - since);
  }
  return all.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

export async function printIsolation(options: {
  readonly only: string | undefined;
  readonly times: number;
}): Promise<void> {
  process.stdout.write(
    '| Shared by accounts | Alone, ms | Beside, ms | Ratio | Passed by |\n|---|---|---|---|---|\n',
  );
  await measureIsolation(options, ({ resource, aloneMs, besideMs, ratio, passed }) => {
    process.stdout.write(
      `| ${resource} | ${Math.round(aloneMs)} | ${Math.round(besideMs)} | ${ratio.toFixed(1)} | ${passed.toFixed(1)} |\n`,
    );
  });
}

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createLynceusClient } from '@lynceus/client';
import { runCommandHere, startServiceHere } from '../in-this-process.js';
import { fill } from '../moved-blobs/contents.js';
import type { Databases, Installation } from './databases.js';

/** An installation with files of every kind, what it was a while ago, and another installation. */
export interface Prepared {
  readonly installation: Installation;
  /** Its database as it is, and of before the last files came. */
  readonly current: string;
  readonly older: string;
  /** Its folder of before the last files came. */
  readonly olderDir: string;
  readonly other: Installation;
}

export const serviceSettings = { LYNCEUS_RECOGNITION_PARTS: 'faces', LYNCEUS_INFERENCE_PROCESSES: '1' };

export async function prepare(dir: string, databases: Databases): Promise<Prepared> {
  const other = { dataDir: join(dir, 'other'), database: await databases.create() };
  await runFilled(databases, other, async (fillMore) => fillMore(1));

  const installation = { dataDir: join(dir, 'data'), database: await databases.create() };
  const olderDir = join(dir, 'older');
  let older = '';
  if (databases.kind === 'SQLite') {
    // Beside the running service, whose next files come within the same life of it.
    older = join(dir, 'older.db');
    await runFilled(databases, installation, async (fillMore) => {
      await fillMore(2);
      await runCommandHere(['backup', older], databases.settings(installation));
      await cp(installation.dataDir, olderDir, { recursive: true });
      await fillMore(2);
    });
  } else {
    await runFilled(databases, installation, (fillMore) => fillMore(2));
    older = await databases.save(installation);
    await cp(installation.dataDir, olderDir, { recursive: true });
    await runFilled(databases, installation, (fillMore) => fillMore(2));
  }
  return { installation, current: await databases.save(installation), older, olderDir, other };
}

async function runFilled(
  databases: Databases,
  installation: Installation,
  work: (fillMore: (people: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const apiKey = 'data_safety_0123456789012345678901234567';
  const service = await startServiceHere({
    ...databases.settings(installation),
    ...serviceSettings,
    LYNCEUS_FIRST_KEY: apiKey,
  });
  const client = createLynceusClient({ baseUrl: service.url, apiKey });
  try {
    await work(async (people) => void (await fill(client, { images: 1, people, versions: 1 })));
  } finally {
    await service.stop();
  }
}

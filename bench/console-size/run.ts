import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { readEventLoopDelay } from '../event-loop.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { type Service, startService } from '../service.js';
import { signIn } from '../sign-in.js';
import { formatTable } from '../table.js';
import { measureLists } from './measure-lists.js';
import { measurePages, stepsOf } from './measure-pages.js';
import { fullScale, seedAccount } from './seed.js';
import { fullStreamScale, seedStreams } from './seed-streams.js';

/** Where Debian puts it. */
const chromiumPath = '/usr/bin/chromium';

/** Maximum time of any list of an account of `fullScale`. */
export const maxListMs = 500;

/** Lists of a full account, over HTTP and in a browser, on the database of the environment (`LYNCEUS_DATABASE_URL`) or on SQLite. */
export async function runConsoleSize(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lynceus-bench-console-'));
  const service = await startService({ LYNCEUS_DATA_DIR: dataDir });
  try {
    const storage = await openStorageBesideService(dataDir);
    const startedAt = performance.now();
    const { id: keyId, account_id: accountId } = await storage.database.query
      .selectFrom('api_key')
      .select(['id', 'account_id'])
      .executeTakeFirstOrThrow();
    await seedAccount(storage.database, { accountId, keyId }, fullScale);
    await seedStreams(storage.database, accountId, fullStreamScale);
    await storage.close();
    console.log(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    await readEventLoopDelay(service);
    const figures = await measureLists(service, async () => (await readEventLoopDelay(service)).maxMs);
    console.log(
      formatTable([
        ['list', 'cold, ms', 'first page, ms', 'tenth or last, ms', 'pages', 'loop, ms'],
        ...figures.map(({ path, coldMs, firstPageMs, laterPageMs, pages, heldMs }) => [
          ...[
            path,
            coldMs.toFixed(0),
            firstPageMs.toFixed(0),
            pages > 1 ? laterPageMs.toFixed(0) : '',
            String(pages),
          ],
          heldMs?.toFixed(0) ?? '',
        ]),
      ]),
    );
    const pages = await measureInBrowser(service);
    console.log(
      formatTable([
        ['page', 'requests', 'slowest, ms', 'which', 'longest task, ms', 'elements', 'loop, ms'],
        ...pages.map((each) => [
          ...[each.name, String(each.requests), each.slowestMs.toFixed(0), each.slowest],
          ...[each.longestTaskMs.toFixed(0), String(each.elements), each.heldMs?.toFixed(0) ?? ''],
        ]),
      ]),
    );
    const slow = figures.filter((each) => Math.max(each.firstPageMs, each.laterPageMs) > maxListMs);
    const slowPages = pages.filter(({ slowestMs }) => slowestMs > maxListMs);
    if (slowPages.length > 0) {
      throw new Error(`above ${maxListMs} ms: ${slowPages.map(({ slowest }) => slowest).join(', ')}`);
    }
    if (slow.length > 0) throw new Error(`above ${maxListMs} ms: ${slow.map(({ path }) => path).join(', ')}`);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The pages that show these lists, as a user sees them. */
async function measureInBrowser(service: Service) {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    const storageState = await signIn(browser, service);
    return await measurePages(
      browser,
      service.url,
      { storageState },
      stepsOf(fullScale),
      async () => (await readEventLoopDelay(service)).maxMs,
    );
  } finally {
    await browser.close();
  }
}

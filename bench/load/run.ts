import { formatTable } from '../table.js';
import { runWholeLoad } from './load.js';
import { type Bounds, judgeLoad } from './promises.js';
import type { TallyRow } from './tally.js';

const slowClients = 500;

const bounds: Bounds = { maxGrowth: 1.05, maxDelayP99Ms: 20, maxSlowdown: 1.5, maxServingGrowth: 1.1 };
/** What is loaded and compiled in the first minute is no leak. */
const shortBounds: Bounds = { ...bounds, maxGrowth: 1.15, maxServingGrowth: 1.3 };

/** Clients that do right and wrong, and slow ones beside them, for minutes; throws when a promise is broken. */
export async function runLoad({ minutes, clients }: { readonly minutes: number; readonly clients: number }) {
  // In less, slow bodies do not run out of time within their stretch.
  if (!(minutes >= 1)) throw new Error('--minutes must be 1 or more');
  console.log(
    `${clients} clients for ${minutes} minutes, every second stretch with ${slowClients} slow ones beside them`,
  );
  const tell = (line: string) => console.log(line);
  const report = await runWholeLoad({ minutes, clients, slowClients, tell });
  console.log(`\n${answersTable(report.tally.rows())}\n`);
  const promises = judgeLoad(report, minutes >= 5 ? bounds : shortBounds);
  for (const { promise, kept, figures } of promises)
    console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${promise}: ${figures}`);
  const broken = promises.filter(({ kept }) => !kept).length;
  if (broken > 0) throw new Error(`${broken} of ${promises.length} promises are broken`);
}

function answersTable(rows: readonly TallyRow[]): string {
  const cells = rows.map(({ kind, told, times, isDocumented }) => [
    kind.name,
    told,
    String(times),
    isDocumented ? '' : 'UNDOCUMENTED',
  ]);
  return formatTable([['request', 'answer', 'times', ''], ...cells]);
}

import { formatTable } from '../table.js';
import { type Bounds, judgeLoad } from './guarantees.js';
import { runWholeLoad } from './load.js';
import type { TallyRow } from './tally.js';

const slowClients = 500;

const bounds: Bounds = { maxGrowth: 1.05, maxDelayP99Ms: 20, maxSlowdown: 1.5, maxServingGrowth: 1.1 };
/** Growth in the first minute is loading and compilation, not a leak. */
const shortBounds: Bounds = { ...bounds, maxGrowth: 1.15, maxServingGrowth: 1.3 };

/** Well-behaved and misbehaving clients, and slow ones beside them, for minutes; throws when a guarantee is broken. */
export async function runLoad({ minutes, clients }: { readonly minutes: number; readonly clients: number }) {
  // In less, slow bodies do not run out of time within their stretch.
  if (!(minutes >= 1)) throw new Error('--minutes must be 1 or more');
  console.log(
    `${clients} clients for ${minutes} minutes, every second stretch with ${slowClients} slow ones beside them`,
  );
  const log = (line: string) => console.log(line);
  const report = await runWholeLoad({ minutes, clients, slowClients, log });
  console.log(`\n${answersTable(report.tally.rows())}\n`);
  const guarantees = judgeLoad(report, minutes >= 5 ? bounds : shortBounds);
  for (const { guarantee, kept, figures } of guarantees)
    console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${guarantee}: ${figures}`);
  const broken = guarantees.filter(({ kept }) => !kept).length;
  if (broken > 0) throw new Error(`${broken} of ${guarantees.length} guarantees are broken`);
}

function answersTable(rows: readonly TallyRow[]): string {
  const cells = rows.map(({ kind, outcome, times, isDocumented }) => [
    kind.name,
    outcome,
    String(times),
    isDocumented ? '' : 'UNDOCUMENTED',
  ]);
  return formatTable([['request', 'answer', 'times', ''], ...cells]);
}

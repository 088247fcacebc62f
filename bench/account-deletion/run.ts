import { formatTable } from '../table.js';
import { crashDuringDeletion } from './crash-deletion.js';

/** Deletes an account of the full scale during kills of the service, and prints the receipt and what is left. */
export async function runAccountDeletion({ rounds }: { readonly rounds: number }): Promise<void> {
  const done = await crashDuringDeletion({ crashes: rounds, report: (line) => console.log(line) });
  const { before, receipt, traces, others, totalMs, maxLagMs } = done;
  console.log(
    formatTable([
      ['TABLE', 'BEFORE', 'RECEIPT'],
      ...Object.entries(before).map(([table, count]) => [table, String(count), String(receipt[table] ?? 0)]),
    ]),
  );
  console.log(
    `${(totalMs / 1000).toFixed(1)} s in all; the event loop was blocked ${maxLagMs.toFixed(0)} ms at most; ` +
      `another account has ${others[1]} of ${others[0]} rows; ${traces.length} files still have its data`,
  );
  const wrong = Object.entries(before).filter(([table, count]) => receipt[table] !== count);
  if (wrong.length > 0 || traces.length > 0 || others[0] !== others[1]) {
    throw new Error(
      `the deletion is not exact: ${[...wrong.map(([table]) => table), ...traces].join(', ')}, or another account lost rows`,
    );
  }
}

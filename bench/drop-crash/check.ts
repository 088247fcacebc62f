import type { Ledger } from './ledger.js';
import type { ReceivedFile } from './remote-server.js';

/** A file in `failed/`, with the text beside it. */
export interface FailedFile {
  readonly name: string;
  /** Null: there is none. */
  readonly reason: string | null;
}

/** The files of one drop when none waits any more. */
export interface Ended {
  readonly received: readonly ReceivedFile[];
  readonly failed: readonly FailedFile[];
}

/** Compares a drop's files with the ledger of its clients; returns descriptions of broken guarantees. */
export function findDropLosses(drop: string, ledger: Ledger, { received, failed }: Ended): readonly string[] {
  const losses: string[] = [];
  const times = new Map<string, number>();
  for (const { name, digest } of received) {
    const sent = sentAs(name, ledger);
    const entry = ledger.get(sent);
    if (!entry || entry.drop !== drop) {
      losses.push(`${name} arrived, and was not sent there`);
      continue;
    }
    times.set(sent, (times.get(sent) ?? 0) + 1);
    if (entry.outcome === 'cut') losses.push(`${name} was cut, and arrived`);
    else if (digest !== entry.digest) losses.push(`${name} arrived with another content`);
  }
  for (const { name, reason } of failed) {
    const sent = sentAs(name, ledger);
    if (ledger.get(sent)?.outcome === 'cut') losses.push(`${name} was cut, and is in failed/`);
    if (times.has(sent)) losses.push(`${name} is in failed/, and arrived`);
    if (reason === null || !reason.includes('was not sent on: '))
      losses.push(`${name} failed without a reason`);
  }
  const given = new Set(failed.map(({ name }) => sentAs(name, ledger)));
  for (const [name, entry] of ledger) {
    if (entry.drop !== drop) continue;
    const count = times.get(name) ?? 0;
    if (count > 1) losses.push(`${name} arrived ${count} times`);
    if (entry.outcome === 'acknowledged' && count === 0 && !given.has(name)) {
      losses.push(`${name} was acknowledged, and is nowhere`);
    }
  }
  return losses;
}

/** A second one of a name is called `x (2).jpg`. */
function sentAs(name: string, ledger: Ledger): string {
  return ledger.has(name) ? name : name.replace(/ \(\d+\)(?=(\.\w+)?$)/, '');
}

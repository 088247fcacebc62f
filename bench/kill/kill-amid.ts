import type { CrashScope } from './crash-service.js';
import type { Crash, Lives } from './lives.js';
import type { Played, Round } from './rounds.js';
import { untilTrue } from './until.js';
import type { Work } from './work.js';

export interface KillRound extends Round {
  /** From the start of the next life until it was ready. */
  readonly restartMs: number;
}

export interface KillPlan<Left> {
  readonly index: number;
  readonly isLast: boolean;
  readonly crashScope: CrashScope;
  /** Resolves when the service is to be killed; returns what to call that moment, where it has a name. */
  readonly moment: () => Promise<string>;
  /** Reads or changes the data before the next start. */
  readonly whenDead: () => Promise<Left>;
  /** What the next life must hold besides what the work checks. */
  readonly check?: (crash: Crash<Left>) => Promise<readonly string[]>;
}

/** For the first answers of a life, on a busy machine. */
const acknowledgedWithinMs = 120_000;

/** One life: its service is killed amid the work, and the next must have all that was acknowledged. */
export async function killAmid<Left>(
  lives: Lives,
  work: Work,
  { index, isLast, crashScope, moment, whenDead, check }: KillPlan<Left>,
): Promise<Played<KillRound>> {
  const running = work.start(index);
  const at = await moment();
  await untilTrue(() => work.isAcknowledged(), acknowledgedWithinMs);
  const crash = await lives.crash(crashScope, async () => {
    await running.over();
    return whenDead();
  });
  const findings = [
    ...crash.survivors,
    ...((await check?.(crash)) ?? []),
    ...(await work.check({ round: index, isLast })),
  ];
  const { restartMs } = crash;
  const ready = `ready again in ${(restartMs / 1000).toFixed(1)} s`;
  return { restartMs, findings, line: `killed ${crashScope}${at}; ${ready}; ${work.describe()}` };
}

export function slowestStartMs(rounds: readonly KillRound[]): number {
  return Math.max(...rounds.map(({ restartMs }) => restartMs));
}

import { seed } from './chance.js';

/** One kill, or another fault, and what was wrong after it. */
export interface Round {
  /** Descriptions of broken guarantees. */
  readonly findings: readonly string[];
}

/** A round, and the line that reports it. */
export type Played<R extends Round> = R & { readonly line: string };

/**
 * Plays rounds on the same data one after the other and reports each by a line.
 * @param endsAtFinding leaves out the rounds after the first that finds something
 */
export async function playRounds<R extends Round>(
  count: number,
  log: (line: string) => void,
  play: (index: number, isLast: boolean) => Promise<Played<R>>,
  endsAtFinding = false,
): Promise<readonly Played<R>[]> {
  const rounds: Played<R>[] = [];
  for (let index = 0; index < count; index += 1) {
    const round = await play(index, index === count - 1);
    rounds.push(round);
    log(`${String(index + 1).padStart(3)}  ${round.line}; ${verdictOn(round)}`);
    if (round.findings.length === 0) continue;
    console.error(`KILL_SEED=${seed} deals the same operations again`);
    if (endsAtFinding) break;
  }
  return rounds;
}

function verdictOn({ findings }: Round): string {
  return findings.length === 0 ? 'nothing lost' : `LOST: ${findings.join('; ')}`;
}

export function findingsOf(rounds: readonly Round[]): readonly string[] {
  return rounds.flatMap(({ findings }) => findings);
}

/** Checks the option `--rounds` of a command. */
export function requireRounds(rounds: number): void {
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number above 0');
}

import { cpuSecondsOf, withDescendants } from '../processes.js';

/**
 * CPU seconds of each contender for all inputs, one number a round, of this process and those below it. The contenders take
 * turns within a round, so that a change of the machine's speed affects all; a first round is not counted.
 */
export async function cpuInTurns<Input>(
  contenders: readonly ((input: Input) => Promise<unknown>)[],
  inputs: readonly Input[],
  rounds: number,
): Promise<readonly (readonly number[])[]> {
  const pids = await withDescendants(process.pid);
  const seconds = contenders.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, ask] of contenders.entries()) {
      const before = await cpuSecondsOf(pids);
      for (const input of inputs) await ask(input);
      if (round > 0) seconds[index]?.push((await cpuSecondsOf(pids)) - before);
    }
  }
  return seconds;
}

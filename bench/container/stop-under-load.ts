import { setTimeout as sleep } from 'node:timers/promises';

/** What became of requests that were under way when a container was stopped. */
export interface StoppedLoad {
  /** Answered as if nothing had happened. */
  readonly answered: number;
  /** Asked to try again: 503 with Retry-After. */
  readonly sentAway: number;
}

/**
 * Sends requests at once, stops the container once the first is answered, and waits for the end of the others. Throws where one that
 * was accepted gets no answer, or another one.
 * @param ask sends one request; answers its status, and whether it has `Retry-After`
 */
export async function stopUnderLoad(
  requests: number,
  ask: () => Promise<{ readonly status: number; readonly isToRetry: boolean }>,
  stop: () => Promise<void>,
): Promise<StoppedLoad> {
  const asked = Array.from({ length: requests }, ask);
  await Promise.race(asked);
  const ended = Promise.allSettled(asked);
  await stop();
  const outcomes = await Promise.race([ended, sleep(1000).then(() => null)]);
  if (outcomes === null) throw new Error('Requests are under way after the end of the container.');
  const answers = outcomes.map((outcome) => {
    if (outcome.status === 'rejected')
      throw new Error('A request under way got no answer.', { cause: outcome.reason });
    return outcome.value;
  });
  const answered = answers.filter(({ status }) => status === 200).length;
  const sentAway = answers.filter(({ status, isToRetry }) => status === 503 && isToRetry).length;
  if (answered + sentAway < requests)
    throw new Error(`Requests under way are answered ${answers.map(({ status }) => status).join(', ')}.`);
  return { answered, sentAway };
}

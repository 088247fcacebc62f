import { formatTable } from '../table.js';
import { runOutputTrial } from './trial.js';

/** Kills the service and a broker while events of streams are sent; throws when one is lost, or arrives out of order. */
export async function runStreamOutputs({ rounds }: { readonly rounds: number }): Promise<void> {
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number above 0');
  const { sent, kills, webhook, mqtt, wills } = await runOutputTrial({
    rounds,
    log: (line) => console.log(line),
  });
  const rows = Object.entries({ webhook, mqtt }).map(([name, { missing, repeated, disordered }]) =>
    [name, sent.length, missing, repeated, disordered].map(String),
  );
  console.log(formatTable([['output', 'events', 'missing', 'repeated', 'out of order'], ...rows]));
  console.log(`${kills.service} kills of the service, ${kills.broker} of the broker; ${wills} last wills`);
  if ([webhook, mqtt].some(({ missing, disordered }) => missing + disordered > 0))
    throw new Error('an event was lost, or arrived out of order');
}

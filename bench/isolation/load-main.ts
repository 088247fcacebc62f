import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { allResources } from './all-resources.js';
import type { LoadReply, LoadRequest } from './load-messages.js';
import type { Prepared, Resource } from './resources.js';
import { openTenant } from './tenant.js';

// The process of the account that asks without end. One request of the parent at a time.

/** Within which the account that asks without end has its first answer. */
const firstAnswerMs = 120_000;
/** Between two requests where the first was refused. */
const retryMs = 10;

interface Load {
  readonly answered: () => number;
  readonly stop: () => Promise<void>;
}

let prepared: { readonly resource: Resource; readonly requests: Prepared } | undefined;
let load: Load | undefined;

process.on('message', async (request: LoadRequest) => {
  const reply = await handle(request).then(
    (answered): LoadReply => ({ answered }),
    (error: unknown): LoadReply => ({ answered: 0, error: describe(error) }),
  );
  process.send?.(reply);
});
process.once('disconnect', () => process.exit());

async function handle(request: LoadRequest): Promise<number> {
  if (request.kind === 'prepare') {
    const resource = allResources.find(({ name }) => name === request.resource);
    if (!resource) throw new Error(`there is no resource ${request.resource}`);
    prepared = { resource, requests: await resource.prepare(await openTenant(request.tenant)) };
  }
  if (request.kind === 'start' && prepared) load = await startLoad(prepared.resource, prepared.requests);
  const answered = load?.answered() ?? 0;
  if (request.kind === 'stop') {
    await load?.stop();
    load = undefined;
  }
  return answered;
}

/** Keeps the requests of the account under way; resolves when the first was answered. */
async function startLoad({ atOnce }: Pick<Resource, 'atOnce'>, { endless, occupy }: Prepared): Promise<Load> {
  const end = new AbortController();
  // Each request under way listens.
  setMaxListeners(0, end.signal);
  let answered = 0;
  let refusal: unknown;
  await occupy?.(end.signal);
  const loops = Array.from({ length: atOnce }, async () => {
    while (!end.signal.aborted) {
      await endless(end.signal).then(
        () => {
          answered += 1;
        },
        // Refused because of its limits: it asks again at once, as a client without manners does.
        (error: unknown) => {
          refusal = error;
          return sleep(retryMs);
        },
      );
    }
  });
  const stop = async () => {
    end.abort();
    await Promise.all(loops);
  };
  // Where it occupies all that it may have, every further request is refused.
  const hasBegun = () => answered > 0 || (occupy !== undefined && refusal !== undefined);
  for (let waitedMs = 0; !hasBegun(); waitedMs += 20) {
    if (waitedMs > firstAnswerMs) {
      await stop();
      throw new Error('the account that asks without end has no answer', { cause: refusal });
    }
    await sleep(20);
  }
  return { answered: () => answered, stop };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}

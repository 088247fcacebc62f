import { type LynceusClient, LynceusError } from '@lynceus/client';
import { sendBare } from './bare-request.js';
import type { Resource } from './resources.js';

/** Streams of events that the other account tries to open: more than it may have. */
const eventStreams = 250;

export const apiResources: readonly Resource[] = [
  {
    name: 'serving thread: requests that read',
    ...{ atOnce: 64, ownAtOnce: 4 },
    async prepare({ url, key }) {
      const read = (signal: AbortSignal) => sendBare(`${url}/api/datasets`, { key, method: 'GET', signal });
      return { ordinary: read, endless: read };
    },
  },
  {
    name: 'writer thread of the database: changes',
    ...{ atOnce: 64, ownAtOnce: 4 },
    async prepare({ client, url, key }) {
      const { id } = await client.datasets.create({ name: 'renamed', task: 'classification' });
      let count = 0;
      const rename = (signal: AbortSignal) => {
        const body = { name: `name ${count++}` };
        return sendBare(`${url}/api/datasets/${id}`, { key, method: 'PATCH', body, signal });
      };
      return { ordinary: rename, endless: rename };
    },
  },
  {
    name: 'streams of events, as many as one account may have',
    ...{ atOnce: 16, ownAtOnce: 2 },
    async prepare({ client }) {
      const open = (signal: AbortSignal) => followUntilOpen(client, signal);
      return {
        ordinary: open,
        endless: open,
        async occupy(signal) {
          const opened = Array.from({ length: eventStreams }, () => followForEver(client, signal));
          await Promise.all(opened);
        },
      };
    },
  },
];

async function followUntilOpen(client: LynceusClient, signal: AbortSignal): Promise<void> {
  for await (const { event } of client.follow({ signal })) if (event === 'open') return;
}

/** Resolves when the stream is open, or refused because there are as many as the account may have. */
async function followForEver(client: LynceusClient, signal: AbortSignal): Promise<void> {
  const events = client.follow({ signal });
  const opened = await events.next().then(
    () => true,
    (error: unknown) => {
      if (error instanceof LynceusError && error.code === 'too_many_requests') return false;
      throw error;
    },
  );
  if (!opened) return;
  void (async () => {
    for await (const _ of events);
  })().catch(() => undefined);
}

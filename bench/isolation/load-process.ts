import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { LoadReply, LoadRequest } from './load-messages.js';
import type { Resource } from './resources.js';
import type { TenantAddress } from './tenant.js';

/**
 * The account that asks without end, in a process of its own: its answers are received there, so that the account that is timed waits for
 * the service alone.
 */
export interface LoadProcess {
  prepare(resource: Pick<Resource, 'name'>): Promise<void>;
  /** Resolves when the first request was answered. */
  start(): Promise<void>;
  /** Answers since the start. */
  answered(): Promise<number>;
  stop(): Promise<void>;
  end(): void;
}

/**
 * @param isTimed whether requests beside it are timed: it then has of the cores what the service and the other account leave, as if its
 * clients were on another machine
 */
export function startLoadProcess(tenant: TenantAddress, isTimed: boolean): LoadProcess {
  const child = fork(new URL('./load-main.js', import.meta.url));
  if (isTimed && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const send = (request: LoadRequest): Promise<number> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        child.off('message', hear);
        child.off('exit', fail);
      };
      const hear = ({ answered, error }: LoadReply) => {
        settle();
        if (error === undefined) resolve(answered);
        else reject(new Error(error));
      };
      const fail = () => {
        settle();
        reject(new Error('the process of the account that asks without end has ended'));
      };
      child.once('message', hear);
      child.once('exit', fail);
      child.send(request);
    });
  let before: Promise<unknown> = Promise.resolve();
  // Replies say nothing of their request, so there is one at a time.
  const ask = (request: LoadRequest): Promise<number> => {
    const reply = before.then(() => send(request));
    before = reply.catch(() => undefined);
    return reply;
  };
  return {
    prepare: async ({ name }) => void (await ask({ kind: 'prepare', resource: name, tenant })),
    start: async () => void (await ask({ kind: 'start' })),
    answered: () => ask({ kind: 'count' }),
    stop: async () => void (await ask({ kind: 'stop' })),
    end: () => void child.kill(),
  };
}

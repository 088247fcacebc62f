import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '#bench/service.js';

/** An event as the API answers it, as far as these tests look. */
export interface StreamEvent {
  readonly seq: number;
  readonly kind: string;
  readonly track_id: string | null;
  readonly label: string;
  readonly text?: string;
  readonly box: { readonly x_min: number; readonly x_max: number };
  readonly has_snapshot: boolean;
  readonly has_clip: boolean;
  readonly person: object | null;
}

/** Calls of a service on streams. */
export function useStreams({ url, key }: Pick<Service, 'url' | 'key'>) {
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: {
        'x-api-key': key,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    });
  const json = async (path: string, init: RequestInit = {}) => {
    const answer = await call(path, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    call,
    json,
    add: async (address: string, settings: object = {}): Promise<number> =>
      (
        await json('/api/streams', {
          method: 'POST',
          body: JSON.stringify({ name: 'film', source: { kind: 'hls', address }, settings }),
        })
      ).id,
    state: async (id: number) => (await json(`/api/streams/${id}`)).state,
    /** The oldest first. */
    events: async (): Promise<StreamEvent[]> => (await json('/api/stream-events?limit=100')).data.reverse(),
    bytes: async (path: string) => Buffer.from(await (await call(path)).arrayBuffer()),
  };
}

/** Answers what the look finds, once it finds something. */
export async function waitFor<T>(
  look: () => Promise<T | undefined | null | false>,
  seconds = 120,
): Promise<T> {
  for (let waited = 0; waited < seconds * 5; waited++) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    await sleep(200);
  }
  throw new Error(`not found within ${seconds} s: ${look}`);
}

/** Ids of the processes below one that run ffmpeg. */
export function decodersOf(pid: number): number[] {
  const parents = new Map(processes().map((process) => [process.pid, process]));
  const isBelow = (id: number): boolean => {
    const parent = parents.get(id)?.parent;
    return parent !== undefined && (parent === pid || isBelow(parent));
  };
  return [...parents.values()]
    .filter((each) => each.name === 'ffmpeg' && isBelow(each.pid))
    .map((each) => each.pid);
}

/** Whether a process still runs. */
export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid);
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, program = '', state, parent] =
          /^\d+ \((.*)\) (\S) (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? [];
        return state === 'Z' ? [] : [{ pid: Number(name), name: program, parent: Number(parent) }];
      } catch {
        return [];
      }
    });
}

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that hold a connection as long as they can: slow loris. */
export interface SlowClients {
  readonly open: number;
  /** Connections that the service closed, by manner. */
  readonly closed: Readonly<Record<Manner, SlowEnds>>;
  /** Closes those that are left; answers how many of them were open for longer than the service allows. */
  stop(): number;
}

export type Manner = 'silent' | 'headers byte by byte' | 'upload byte by byte' | 'JSON byte by byte';

export interface SlowEnds {
  times: number;
  longestMs: number;
  /** First lines of what the service said, most often nothing or a 408. */
  readonly said: Record<string, number>;
}

interface SlowOptions {
  readonly url: string;
  readonly key: string;
  readonly count: number;
  /** How long the service may leave one open, by manner. */
  readonly maxOpenMs: Readonly<Record<Manner, number>>;
}

const dripMs = 1000;
/** A service under attack is not asked for five hundred connections in one tick. */
const openAtOnce = 50;

/** Opens `count` connections, writes a byte a second into each, and opens another for each that is closed. */
export function startSlowClients({ url, key, count, maxOpenMs }: SlowOptions): SlowClients {
  const { hostname, port } = new URL(url);
  const heads = headsOf(key);
  const manners = Object.keys(heads) as Manner[];
  const closed = Object.fromEntries(
    manners.map((manner) => [manner, { times: 0, longestMs: 0, said: {} }]),
  ) as Record<Manner, SlowEnds>;
  const open = new Map<Socket, { readonly manner: Manner; readonly openedAt: number }>();
  let stopped = false;

  const add = (manner: Manner) => {
    const socket = connect(Number(port), hostname);
    const openedAt = performance.now();
    let said = '';
    open.set(socket, { manner, openedAt });
    // At once, though it is not connected yet: no dripped byte may come before it.
    socket.write(heads[manner]);
    socket.setEncoding('latin1').on('data', (text: string) => {
      said ||= text.slice(0, text.indexOf('\r\n'));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      if (stopped) return;
      const ends = closed[manner];
      ends.times += 1;
      ends.longestMs = Math.max(ends.longestMs, performance.now() - openedAt);
      ends.said[said] = (ends.said[said] ?? 0) + 1;
      add(manner);
    });
  };
  const fill = async () => {
    for (let index = 0; index < count && !stopped; index += 1) {
      add(manners[index % manners.length] ?? 'silent');
      if (index % openAtOnce === openAtOnce - 1) await sleep(dripMs / openAtOnce);
    }
  };
  void fill();
  const drip = setInterval(() => {
    for (const [socket, { manner }] of open) if (manner !== 'silent' && socket.writable) socket.write('a');
  }, dripMs);

  return {
    get open() {
      return open.size;
    },
    closed,
    stop() {
      stopped = true;
      clearInterval(drip);
      const now = performance.now();
      const overdue = [...open.values()].filter(({ manner, openedAt }) => now - openedAt > maxOpenMs[manner]);
      for (const socket of open.keys()) socket.destroy();
      return overdue.length;
    },
  };
}

/** What each manner says at once; the rest comes byte by byte. */
function headsOf(key: string): Readonly<Record<Manner, string>> {
  const post = `POST /predict/image?apikey=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n`;
  return {
    silent: '',
    'headers byte by byte': 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ',
    'upload byte by byte': `${post}Content-Type: image/jpeg\r\n\r\n`,
    'JSON byte by byte': `PUT /predict?api_key=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n{`,
  };
}

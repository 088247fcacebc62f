import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, FTPError } from 'basic-ftp';
import { freePort } from '../free-port.js';
import { type Service, startService } from '../service.js';
import { formatTable } from '../table.js';

export interface DropManyOptions {
  readonly files: number;
  /** After this time no more are sent; the results until then are printed. */
  readonly minutes: number;
  /** Files that may wait; more are refused. */
  readonly limit: number;
}

export interface DropMany {
  readonly sent: number;
  readonly refused: number;
  /** The answer to a refused one. */
  readonly refusal: string;
  readonly filesPerSecond: number;
  readonly residentMib: number;
  readonly listSeconds: number;
  readonly listed: number;
  /** The slowest answer of the service to another client meanwhile. */
  readonly slowestAnswerMs: number;
}

const connections = 16;
const refusedInARow = 5;

/**
 * Uploads thousands of tiny files into one drop of the real service, over several connections; none is processed
 * meanwhile.
 */
export async function dropMany({ files, minutes, limit }: DropManyOptions): Promise<DropMany> {
  const ftpPort = await freePort();
  const service = await startService({
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_MAX_WAITING_FILES: String(limit),
    // So that they wait: only the uploads are measured.
    LYNCEUS_DROP_SETTLE_MS: '3600000',
  });
  try {
    const connect = await openDrop(service, ftpPort);
    const visits = visit(service);
    const begun = performance.now();
    let [next, sent, refused, refusal] = [0, 0, 0, ''];
    const send = async (): Promise<void> => {
      const client = await connect();
      let inARow = 0;
      while (next < files && inARow < refusedInARow && performance.now() - begun < minutes * 60_000) {
        const name = `IMG_${String(next++).padStart(7, '0')}.jpg`;
        try {
          await client.uploadFrom(Readable.from([Buffer.from(name)]), name);
          sent++;
          inARow = 0;
        } catch (error) {
          if (!(error instanceof FTPError) || error.code !== 452) throw error;
          refused++;
          inARow++;
          refusal = error.message;
        }
      }
      client.close();
    };
    await Promise.all(Array.from({ length: connections }, send));
    const seconds = (performance.now() - begun) / 1000;
    const client = await connect();
    const listBegun = performance.now();
    const listed = (await client.list('/incoming')).length;
    const listSeconds = (performance.now() - listBegun) / 1000;
    client.close();
    const slowestAnswerMs = await visits.stop();
    const residentMib = await readResidentMib(service.pid);
    return {
      sent,
      refused,
      refusal,
      filesPerSecond: sent / seconds,
      residentMib,
      listSeconds,
      listed,
      slowestAnswerMs,
    };
  } finally {
    await service.stop();
  }
}

export async function runDropMany(options: Omit<DropManyOptions, 'limit'>): Promise<void> {
  const rows = [
    ['limit', 'sent', 'a second', 'refused', 'refusal', 'MiB resident', 'LIST, s', 'slowest answer, ms'],
  ];
  for (const limit of [Math.min(1000, options.files - 1), options.files]) {
    const figures = await dropMany({ ...options, limit });
    rows.push([
      ...[limit, figures.sent, figures.filesPerSecond.toFixed(0), figures.refused, figures.refusal].map(
        String,
      ),
      ...[figures.residentMib.toFixed(0), `${figures.listSeconds.toFixed(1)} (${figures.listed} files)`],
      figures.slowestAnswerMs.toFixed(0),
    ]);
    if (limit === options.files && figures.sent < options.files) {
      console.log(`Of ${options.files} files, ${figures.sent} came within ${options.minutes} minutes.`);
    }
  }
  console.log(formatTable(rows));
}

/** Creates a drop; returns its credentials. */
async function openDrop(service: Service, port: number): Promise<() => Promise<Client>> {
  const answer = await fetch(`${service.url}/api/drops`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'many' }),
  });
  const drop = (await answer.json()) as {
    readonly key: string;
    readonly ftp: { readonly user_name: string };
  };
  if (!answer.ok) throw new Error(`No drop was made: ${JSON.stringify(drop)}`);
  return async () => {
    const client = new Client(120_000);
    await client.access({ host: '127.0.0.1', port, user: drop.ftp.user_name, password: drop.key });
    return client;
  };
}

/** Sends a small request repeatedly. */
function visit({ url }: Service): { stop(): Promise<number> } {
  let [isOver, slowestMs] = [false, 0];
  const going = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`${url}/readyz`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await going;
      return slowestMs;
    },
  };
}

async function readResidentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

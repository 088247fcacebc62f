import { createHash, randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { Busboy } from '@fastify/busboy';
import type { FaultSchedule } from './fault-schedule.js';
import { countFaults, listenWithFaults, type RemoteServer } from './remote-server.js';

/** A receiver of deliveries by HTTP, as documented: one `Idempotency-Key` is kept once. */
export async function startRemoteHttp(dir: string, faultSchedule: FaultSchedule): Promise<RemoteServer> {
  const kept = new Map<string, string>();
  const faults = countFaults(faultSchedule);
  const names = new Set<string>();

  const keep = async (key: string, { name, content }: Delivery): Promise<void> => {
    if (kept.has(key)) return;
    // Another name shows that it is a duplicate.
    const own = names.has(name) ? name.replace(/(\.\w+)?$/, ` (${names.size})$1`) : name;
    names.add(own);
    kept.set(key, own);
    const temporaryPath = join(
      dir,
      '..',
      `${createHash('sha256').update(key).update(randomBytes(8)).digest('hex')}`,
    );
    await writeFile(temporaryPath, content);
    await rename(temporaryPath, join(dir, own));
  };

  const server = createServer(async (request, response) => {
    const fault = faults.meet();
    if (fault === 'hang') return;
    if (fault === 'cut') {
      let left = Math.random() * Number(request.headers['content-length'] ?? 0);
      request.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left <= 0) request.destroy();
      });
      return;
    }
    const delivery = await readDelivery(request).catch(() => null);
    if (delivery === null) return;
    if (fault === 'full') return answer(response, 507);
    await keep(String(request.headers['idempotency-key']), delivery);
    if (fault === 'cut-late') request.destroy();
    else answer(response, 201);
  });
  const { port, stop } = await listenWithFaults(server, faultSchedule);
  return {
    destination: { kind: 'http', address: `http://127.0.0.1:${port}/in`, path: '{name}' },
    erred: faults.erred,
    stop,
  };
}

interface Delivery {
  readonly name: string;
  readonly content: Buffer;
}

/** Rejects when it is not whole. */
function readDelivery(request: IncomingMessage): Promise<Delivery> {
  return new Promise((resolve, reject) => {
    let name = '';
    const chunks: Buffer[] = [];
    const parser = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    });
    parser.on('field', (field, value) => {
      if (field === 'path') name = basename(value);
    });
    parser.on('file', (field, stream) => {
      stream.on('data', (chunk: Buffer) => {
        if (field === 'file') chunks.push(chunk);
      });
    });
    parser.on('finish', () => resolve({ name, content: Buffer.concat(chunks) }));
    parser.on('error', reject);
    request.on('error', reject).on('close', () => reject(new Error('cut')));
    request.pipe(parser);
  });
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
}

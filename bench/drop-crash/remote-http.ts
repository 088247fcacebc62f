import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { readForm } from '#server/delivery/fixtures/remote-http.js';
import { random } from '../kill/chance.js';
import type { FaultSchedule } from './fault-schedule.js';
import { countFaults, listenWithFaults, type RemoteServer } from './remote-server.js';

/** A receiver of deliveries by HTTP, as documented: one `Idempotency-Key` is kept once. */
export async function startRemoteHttp(dir: string, faultSchedule: FaultSchedule): Promise<RemoteServer> {
  const kept = new Map<string, string>();
  const faults = countFaults(faultSchedule);
  const names = new Set<string>();

  const keep = async (key: string, name: string, content: Buffer): Promise<void> => {
    if (kept.has(key)) return;
    // Another name shows that it is a duplicate.
    const own = names.has(name) ? name.replace(/(\.\w+)?$/, ` (${names.size})$1`) : name;
    names.add(own);
    kept.set(key, own);
    const temporaryPath = join(dir, '..', randomUUID());
    await writeFile(temporaryPath, content);
    await rename(temporaryPath, join(dir, own));
  };

  const server = createServer(async (request, response) => {
    const fault = faults.meet();
    if (fault === 'hang') return;
    if (fault === 'cut') {
      let left = random() * Number(request.headers['content-length'] ?? 0);
      request.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left <= 0) request.destroy();
      });
      return;
    }
    // Null where it is not whole.
    const form = await readForm(request).catch(() => null);
    const [, , , content] = form?.files.find(([field]) => field === 'file') ?? [];
    if (form === null || content === undefined) return;
    if (fault === 'full') return answer(response, 507);
    await keep(String(request.headers['idempotency-key']), basename(form.fields['path'] ?? ''), content);
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

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end();
}

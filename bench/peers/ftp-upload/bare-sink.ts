import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import Database from 'libsql';

/**
 * The cost of durability alone: just enough FTP for curl, no log-in, no limits, no check of truncated transfers. A file is
 * written, synced and renamed, the folder is synced, one row is committed, then 226 is sent.
 */
const [dir = '', certificate = '', key = ''] = process.argv.slice(2);
const into = join(dir, 'files');
mkdirSync(into, { recursive: true });
const secureContext = createSecureContext({ cert: readFileSync(certificate), key: readFileSync(key) });
const database = new Database(join(dir, 'rows.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE file (name TEXT)');
const insert = database.prepare('INSERT INTO file VALUES (?)');
const folder = await open(into);
let count = 0;

async function keep(stream: Duplex): Promise<void> {
  const name = String(++count);
  const file = await open(join(into, `${name}.part`), 'w');
  let chunks: Buffer[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunks.length > 64) stream.pause();
    wake();
  });
  stream.on('end', () => {
    isOver = true;
    wake();
  });
  while (!isOver || chunks.length > 0) {
    const some = chunks;
    chunks = [];
    stream.resume();
    if (some.length > 0) await file.writev(some);
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await file.sync();
  await file.close();
  await rename(join(into, `${name}.part`), join(into, name));
  await folder.sync();
  insert.run(name);
}

async function serve(plain: Socket): Promise<void> {
  let stream: Duplex = plain;
  let isSecure = false;
  let data: { readonly server: Server; readonly socket: Promise<Socket> } | null = null;
  const say = (text: string): void => {
    stream.write(`${text}\r\n`);
  };
  const answer = async (line: string): Promise<void> => {
    switch (line.slice(0, 4).trim()) {
      case 'AUTH':
        say('234 Begin.');
        stream = new TLSSocket(plain, { isServer: true, secureContext });
        isSecure = true;
        listen();
        return;
      case 'USER':
      case 'PASS':
        return say('230 In.');
      case 'EPSV': {
        const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }).listen(0, '127.0.0.1');
        // curl connects before it says STOR.
        data = { server, socket: new Promise((resolve) => server.once('connection', resolve)) };
        await once(server, 'listening');
        const address = server.address();
        return say(`229 Here (|||${typeof address === 'object' && address ? address.port : 0}|)`);
      }
      case 'STOR': {
        if (!data) return say('425 No.');
        const socket = await data.socket;
        data.server.close();
        say('150 Go.');
        const from = isSecure ? new TLSSocket(socket, { isServer: true, secureContext }) : socket;
        await keep(from);
        from.end();
        return say('226 Kept.');
      }
      case 'PWD':
        return say('257 "/"');
      case 'QUIT':
        say('221 Bye.');
        stream.end();
        return;
      default:
        return say('200 Fine.');
    }
  };
  let text = '';
  const listen = (): void => {
    stream.removeAllListeners('data').on('data', async (chunk: Buffer) => {
      text += chunk.toString();
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
        const line = text.slice(0, at).trim();
        text = text.slice(at + 1);
        await answer(line);
      }
    });
    stream.on('error', () => plain.destroy());
  };
  listen();
  say('220 Bare.');
}

const server = createServer({ noDelay: true }, serve).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });

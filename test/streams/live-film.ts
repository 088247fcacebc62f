import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A camera that sends a film again and again, as HLS of this machine. */
export interface LiveFilm {
  readonly address: string;
  stop(): Promise<void>;
}

export async function startLiveFilm(film: string): Promise<LiveFilm> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-live-'));
  const playlist = join(dir, 'live.m3u8');
  const ffmpeg = spawn(
    'ffmpeg',
    [
      ...['-hide_banner', '-loglevel', 'error', '-re', '-stream_loop', '-1', '-i', film, '-c', 'copy'],
      ...['-f', 'hls', '-hls_time', '1', '-hls_list_size', '5', '-hls_flags', 'delete_segments', playlist],
    ],
    { stdio: 'ignore' },
  );
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url ?? '', 'http://camera').pathname);
    const file = createReadStream(join(dir, name));
    file.once('error', () => response.writeHead(404).end());
    file.once('open', () => {
      response.writeHead(200, {
        'content-type': name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp2t',
      });
      file.pipe(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  while (!(await isThere(playlist))) await sleep(50);
  return {
    address: `http://127.0.0.1:${port}/live.m3u8`,
    async stop() {
      await kill(ffmpeg);
      server.closeAllConnections();
      server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureOwnCertificate } from '#server/drop/ftp/tls/certificate-files.js';
import { startVsftpd } from './vsftpd.js';

interface Way {
  readonly name: string;
  readonly connections: number;
  readonly filesEach: number;
  readonly fileBytes: number;
  readonly options: readonly string[];
}
const tls = ['--ssl-reqd', '--insecure'];
const mib = 1024 * 1024;
const ways: readonly Way[] = [
  { name: 'plain, large', connections: 1, filesEach: 4, fileBytes: 128 * mib, options: [] },
  { name: 'plain, photographs', connections: 1, filesEach: 40, fileBytes: 4 * mib, options: [] },
  { name: 'plain, photographs', connections: 20, filesEach: 6, fileBytes: 4 * mib, options: [] },
  { name: 'TLS, large', connections: 1, filesEach: 4, fileBytes: 128 * mib, options: tls },
  { name: 'TLS, photographs', connections: 1, filesEach: 40, fileBytes: 4 * mib, options: tls },
  { name: 'TLS, photographs', connections: 20, filesEach: 6, fileBytes: 4 * mib, options: tls },
];

/** Uploads by curl to the server of the drop and to vsftpd, in turns, and their ratio. */
export async function runFtpUpload({ rounds }: { rounds: number }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-ftp-'));
  try {
    const { certificate, key } = await ensureOwnCertificate(join(dir, 'tls'), 'localhost', Date.now());
    await mkdir(join(dir, 'ours'));
    const server = fileURLToPath(new URL('./server.js', import.meta.url));
    const child = fork(server, [join(dir, 'ours'), certificate, key]);
    const port = await new Promise<number>((resolve) =>
      child.once('message', (told: { port: number }) => resolve(told.port)),
    );
    const vsftpd = await startVsftpd(join(dir, 'vsftpd'), certificate, key);
    const ours = { url: `ftp://127.0.0.1:${port}/`, into: join(dir, 'ours') };
    const theirs = { url: `ftp://127.0.0.1:${vsftpd.port}/upload/`, into: join(dir, 'vsftpd', 'upload') };
    try {
      for (const way of ways) {
        const figures: { ours: number; theirs: number }[] = [];
        for (let round = 0; round < rounds; round++) {
          figures.push({ ours: await upload(dir, way, ours), theirs: await upload(dir, way, theirs) });
        }
        const ratios = figures.map((figure) => figure.ours / figure.theirs).sort((a, b) => a - b);
        const middle = ratios[Math.floor(ratios.length / 2)] ?? 0;
        const told = (who: 'ours' | 'theirs') => figures.map((figure) => figure[who].toFixed(0)).join(' ');
        console.log(
          `${way.name}, ${way.connections} connection(s) of ${way.filesEach} x ${way.fileBytes / mib} MiB: ` +
            `ratio ${middle.toFixed(2)}; MiB/s ours ${told('ours')}, vsftpd ${told('theirs')}`,
        );
      }
    } finally {
      child.kill();
      vsftpd.stop();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** MiB a second, the start of the clients included. */
async function upload(dir: string, way: Way, { url, into }: { url: string; into: string }): Promise<number> {
  const path = join(dir, `${way.fileBytes}.bin`);
  await writeFile(path, randomBytes(way.fileBytes));
  const begun = performance.now();
  const all = Array.from({ length: way.connections }, async (_, connection) => {
    const words = Array.from({ length: way.filesEach }, (_none, file) => [
      '-T',
      path,
      `${url}${connection}-${file}-${Date.now()}.jpg`,
    ]);
    const child = spawn('curl', ['-sS', ...way.options, ...words.flat()], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`curl ended with ${code}`);
  });
  await Promise.all(all);
  const seconds = (performance.now() - begun) / 1000;
  for (const name of await readdir(into)) await rm(join(into, name));
  const mebibytes = (way.connections * way.filesEach * way.fileBytes) / mib;
  return mebibytes / seconds;
}

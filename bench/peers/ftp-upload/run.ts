import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureOwnCertificate } from '#server/drops/ftp/own-certificate.js';
import { formatTable } from '../../table.js';
import { startVsftpd } from './vsftpd.js';

interface Way {
  readonly name: string;
  readonly connections: number;
  readonly filesEach: number;
  readonly fileMib: number;
  readonly options: readonly string[];
}
const tls = ['--ssl-reqd', '--insecure'];
const ways: readonly Way[] = [
  { name: 'plain, large', connections: 1, filesEach: 4, fileMib: 128, options: [] },
  { name: 'plain, photographs', connections: 1, filesEach: 40, fileMib: 4, options: [] },
  { name: 'plain, photographs', connections: 20, filesEach: 6, fileMib: 4, options: [] },
  { name: 'TLS, large', connections: 1, filesEach: 4, fileMib: 128, options: tls },
  { name: 'TLS, photographs', connections: 1, filesEach: 40, fileMib: 4, options: tls },
  { name: 'TLS, photographs', connections: 20, filesEach: 6, fileMib: 4, options: tls },
];

/** An address for uploads, and the folder in which they arrive. */
interface Target {
  readonly url: string;
  readonly into: string;
}

/**
 * Uploads by curl to the drop's FTP server, to a bare sink that only writes each file durably, and to vsftpd, which
 * acknowledges before the disk has the file. The targets alternate, each time in another order.
 */
export async function compareFtp({ rounds }: { rounds: number }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-ftp-'));
  const children: ChildProcess[] = [];
  try {
    const { certificate, key } = await ensureOwnCertificate(
      join(dir, 'tls'),
      { hostName: 'localhost', certificateAddresses: [] },
      Date.now(),
    );
    const startProgram = async (name: string, below: string): Promise<Target> => {
      const own = join(dir, name);
      await mkdir(own);
      const child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), [own, certificate, key]);
      children.push(child);
      const [message] = (await once(child, 'message')) as [{ readonly port: number }];
      return { url: `ftp://127.0.0.1:${message.port}/`, into: join(own, below) };
    };
    const vsftpd = await startVsftpd(join(dir, 'vsftpd'), certificate, key);
    children.push(vsftpd.child);
    const targets = [
      await startProgram('server', 'drops'),
      await startProgram('bare-sink', 'files'),
      { url: `ftp://127.0.0.1:${vsftpd.port}/upload/`, into: join(dir, 'vsftpd', 'upload') },
    ];
    const rows = [['upload', 'connections', 'drop', 'bare sink', 'vsftpd', 'drop/sink', 'drop/vsftpd']];
    for (const way of ways) {
      const figures: number[][] = [];
      for (let round = 0; round < rounds; round++) {
        const row: number[] = [];
        for (let step = 0; step < targets.length; step++) {
          const at = (step + round) % targets.length;
          const target = targets[at];
          if (target) row[at] = await upload(dir, way, target);
        }
        figures.push(row);
      }
      const message = (column: number) => median(figures.map((row) => row[column] ?? 0)).toFixed(0);
      const ratio = (column: number) =>
        median(figures.map((row) => (row[0] ?? 0) / (row[column] ?? 0))).toFixed(2);
      rows.push([way.name, String(way.connections), message(0), message(1), message(2), ratio(1), ratio(2)]);
    }
    console.log(`MiB/s, the median of ${rounds} rounds\n${formatTable(rows)}`);
  } finally {
    for (const child of children) child.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

/** MiB a second, the start of the clients included. */
async function upload(dir: string, way: Way, { url, into }: Target): Promise<number> {
  const path = join(dir, `${way.fileMib}.bin`);
  if (!existsSync(path)) await writeFile(path, randomBytes(way.fileMib * 1024 * 1024));
  const begun = performance.now();
  const all = Array.from({ length: way.connections }, async (_, connection) => {
    const words = Array.from({ length: way.filesEach }, (_none, file) => [
      '-T',
      path,
      `${url}${connection}-${file}.jpg`,
    ]);
    const child = spawn('curl', ['-sS', ...way.options, ...words.flat()], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`curl ended with ${code}`);
  });
  await Promise.all(all);
  const seconds = (performance.now() - begun) / 1000;
  for (const name of await readdir(into, { recursive: true })) {
    const sent = join(into, name);
    if ((await stat(sent)).isFile()) await rm(sent);
  }
  return (way.connections * way.filesEach * way.fileMib) / seconds;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSshd } from '#server/delivery/fixtures/sshd.js';
import { ensureOwnCertificate } from '#server/drops/ftp/own-certificate.js';
import { cpuSecondsOf } from '../../processes.js';
import { formatTable } from '../../table.js';

interface Batch {
  readonly name: string;
  readonly files: number;
  readonly fileMib: number;
}
const batches: readonly Batch[] = [
  { name: 'large', files: 2, fileMib: 128 },
  { name: 'photographs', files: 40, fileMib: 4 },
];

/** A way to upload files of this machine, on one connection. */
interface Way {
  readonly name: string;
  upload(path: string, names: readonly string[]): Promise<void>;
}

interface Figure {
  readonly mibPerSecond: number;
  /** Of the drop's server; that of OpenSSH's is not measured. */
  readonly cpuMsPerMib: number;
}

/**
 * Uploads to the drop's SFTP server by OpenSSH's sftp, to OpenSSH's own server, which acknowledges before the disk has the file, and
 * to the drop's FTP server by lftp, in turns.
 */
export async function compareSftp({ rounds }: { rounds: number }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-sftp-'));
  let server: ChildProcess | undefined;
  const root = join(dir, 'sshd-root');
  await mkdir(root);
  const sshd = await startSshd(join(dir, 'sshd'), root);
  try {
    const { certificate, key } = await ensureOwnCertificate(
      join(dir, 'tls'),
      { hostName: 'localhost', certificateAddresses: [] },
      Date.now(),
    );
    const program = fileURLToPath(new URL('../ftp-upload/server.js', import.meta.url));
    server = fork(program, [join(dir, 'server'), certificate, key]);
    const [{ port, sftpPort }] = (await once(server, 'message')) as [{ port: number; sftpPort: number }];
    const pid = server.pid ?? 0;
    const ownKey = join(dir, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', ownKey]);
    const ways = [
      bySftp('SFTP to the drop', { port: sftpPort, user: 'bench', key: ownKey, folder: '/incoming' }),
      bySftp("SFTP to OpenSSH's server", { ...sshd, key: join(dir, 'sshd', 'user'), folder: root }),
      byFtp('FTP to the drop, TLS', port, [
        'ftp:ssl-force yes',
        'ftp:ssl-protect-data yes',
        'ssl:verify-certificate no',
      ]),
      byFtp('FTP to the drop, plain', port, ['ftp:ssl-allow no']),
    ];
    const rows = [['upload', 'by', 'MiB/s', 'CPU ms of the drop a MiB']];
    for (const batch of batches) {
      const path = join(dir, `${batch.name}.bin`);
      await writeFile(path, randomBytes(batch.fileMib * 1024 * 1024));
      const figures = ways.map((): Figure[] => []);
      for (let round = 0; round < rounds; round++) {
        for (let step = 0; step < ways.length; step++) {
          const at = (step + round) % ways.length;
          const way = ways[at];
          if (way) figures[at]?.push(await measure(way, batch, path, pid, round));
        }
      }
      ways.forEach(({ name }, at) => {
        const of = (read: (figure: Figure) => number) => median((figures[at] ?? []).map(read));
        const cpu = name.includes('OpenSSH') ? '–' : of(({ cpuMsPerMib }) => cpuMsPerMib).toFixed(1);
        rows.push([batch.name, name, of(({ mibPerSecond }) => mibPerSecond).toFixed(0), cpu]);
      });
    }
    console.log(`The median of ${rounds} rounds, one connection\n${formatTable(rows)}`);
  } finally {
    server?.kill();
    await sshd.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(way: Way, batch: Batch, path: string, pid: number, round: number): Promise<Figure> {
  const names = Array.from({ length: batch.files }, (_, file) => `${batch.name}-${round}-${file}.jpg`);
  const cpuBefore = await cpuSecondsOf([pid]);
  const begun = performance.now();
  await way.upload(path, names);
  const mib = batch.files * batch.fileMib;
  return {
    mibPerSecond: mib / ((performance.now() - begun) / 1000),
    cpuMsPerMib: (((await cpuSecondsOf([pid])) - cpuBefore) * 1000) / mib,
  };
}

interface SshTarget {
  readonly port: number;
  readonly user: string;
  /** The path of a private key. */
  readonly key: string;
  readonly folder: string;
}

function bySftp(name: string, { port, user, key, folder }: SshTarget): Way {
  const options = ['IdentitiesOnly=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null'];
  return {
    name,
    async upload(path, names) {
      const words = ['-q', '-F', 'none', '-i', key, ...options.flatMap((option) => ['-o', option])];
      const child = spawn('sftp', [...words, '-P', String(port), '-b', '-', `${user}@127.0.0.1`], {
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      child.stdin.end(names.map((each) => `put ${path} ${folder}/${each}\n`).join(''));
      await ended(child);
    },
  };
}

/** By lftp: of several files curl 7.88 waits for a second before those whose data connection is offered at once. */
function byFtp(name: string, port: number, settings: readonly string[]): Way {
  return {
    name,
    async upload(path, names) {
      const lines = [...settings, 'cmd:fail-exit yes', 'net:max-retries 1'].map((each) => `set ${each}`);
      const puts = names.map((each) => `put ${path} -o ${each}`);
      const script = [...lines, `open -u bench,bench ftp://127.0.0.1:${port}`, ...puts].join('; ');
      await ended(spawn('lftp', ['-c', script], { stdio: ['ignore', 'ignore', 'inherit'] }));
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { password, startTestFtp, user } from '#server/drops/ftp/fixtures/test-ftp.js';
import type { MemoryFolders } from '#server/drops/servers/fixtures/memory-folders.js';

export const modes = [
  'plain, PASV',
  'plain, EPSV',
  'plain, IPv6',
  'TLS control only',
  'TLS both',
  'TLS both, IPv6',
] as const;
export type Mode = (typeof modes)[number];

export interface ClientRun {
  /** `done`, or what failed, by act. */
  readonly outcomes: ReadonlyMap<string, string>;
  readonly folders: MemoryFolders;
  readonly image: Buffer;
}

/** Runs a program of this folder against a server of its own, which has a half file, one to fetch and one to delete. */
export async function runFtpClient(command: string, program: string, mode: Mode): Promise<ClientRun> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-ftp-client-'));
  const ftp = await startTestFtp({ requiresTls: mode.startsWith('TLS both') });
  try {
    // Whoever turns lines' ends damages these.
    const image = Buffer.concat([randomBytes(300_000), Buffer.from('\r\n\n\r')]);
    await writeFile(join(dir, 'image.jpg'), image);
    ftp.folders.put('/incoming/resumed.jpg', image.subarray(0, 1000));
    ftp.folders.put('/incoming/old.jpg', image);
    ftp.folders.put('/done/kept.jpg', image);
    const path = fileURLToPath(new URL(`../../ftp-clients/${program}`, import.meta.url));
    const { stdout } = await promisify(execFile)(command, [path], {
      cwd: dir,
      timeout: 300_000,
      env: {
        ...process.env,
        FTP_HOST: mode.endsWith('IPv6') ? '[::1]' : '127.0.0.1',
        FTP_PORT: String(ftp.port),
        FTP_USER: user,
        FTP_PASSWORD: password,
        IMAGE: join(dir, 'image.jpg'),
        MODE: mode,
      },
    });
    const outcomes = new Map<string, string>();
    for (const line of stdout.split('\n')) {
      const at = line.indexOf(': ');
      if (at > 0) outcomes.set(line.slice(0, at), line.slice(at + 2));
    }
    return { outcomes, folders: ftp.folders, image };
  } finally {
    await ftp.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

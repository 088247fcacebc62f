import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ssh2 from 'ssh2';
import type { MemoryFolders } from '#server/drops/servers/fixtures/memory-folders.js';
import { password, startTestSftp, user } from '#server/drops/sftp/fixtures/test-sftp.js';

export interface ClientRun {
  /** `done`, or what failed, by act. */
  readonly outcomes: ReadonlyMap<string, string>;
  readonly folders: MemoryFolders;
  readonly image: Buffer;
}

/** Runs a program of this folder against a server of its own, which has half files, one to fetch and one to delete. */
export async function runSftpClient(command: string, program: string): Promise<ClientRun> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-sftp-client-'));
  const sftp = await startTestSftp();
  try {
    const image = Buffer.concat([randomBytes(300_000), Buffer.from('\r\n\n\r')]);
    await writeFile(join(dir, 'image.jpg'), image);
    for (const name of ['resumed.jpg', 'appended.jpg'])
      sftp.folders.put(`/incoming/${name}`, image.subarray(0, 1000));
    sftp.folders.put('/incoming/old.jpg', image);
    sftp.folders.put('/done/kept.jpg', image);
    // OpenSSH's programs take no password from a script.
    const key = join(dir, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const parsed = ssh2.utils.parseKey(await readFile(`${key}.pub`));
    if (parsed instanceof Error) throw parsed;
    sftp.authorized.push(parsed.getPublicSSH());
    const path = fileURLToPath(new URL(`../../sftp-clients/${program}`, import.meta.url));
    const { stdout } = await promisify(execFile)(command, [path], {
      cwd: dir,
      timeout: 300_000,
      env: {
        ...process.env,
        HOME: dir,
        SFTP_PORT: String(sftp.port),
        SFTP_USER: user,
        SFTP_PASSWORD: password,
        SSH_OPTIONS: `-F none -i ${key} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=${join(dir, 'known')} -o LogLevel=ERROR`,
        IMAGE: join(dir, 'image.jpg'),
      },
    });
    const outcomes = new Map<string, string>();
    for (const line of stdout.split('\n')) {
      const at = line.indexOf(': ');
      if (at > 0) outcomes.set(line.slice(0, at), line.slice(at + 2));
    }
    return { outcomes, folders: sftp.folders, image };
  } finally {
    await sftp.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

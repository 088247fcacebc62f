import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../free-port.js';

export interface Vsftpd {
  readonly port: number;
  readonly child: ChildProcess;
}

/** Debian's vsftpd, with anonymous uploads into `root/upload`. It runs as the current user. */
export async function startVsftpd(root: string, certificate: string, key: string): Promise<Vsftpd> {
  const port = await freePort();
  await mkdir(join(root, 'upload'), { recursive: true });
  await chmod(root, 0o555);
  await chmod(join(root, 'upload'), 0o777);
  const settings = {
    listen: 'YES',
    listen_address: '127.0.0.1',
    listen_port: port,
    background: 'NO',
    run_as_launching_user: 'YES',
    seccomp_sandbox: 'NO',
    anonymous_enable: 'YES',
    no_anon_password: 'YES',
    anon_root: root,
    anon_upload_enable: 'YES',
    write_enable: 'YES',
    max_per_ip: 0,
    max_clients: 0,
    ssl_enable: 'YES',
    allow_anon_ssl: 'YES',
    force_local_logins_ssl: 'NO',
    force_local_data_ssl: 'NO',
    require_ssl_reuse: 'NO',
    ssl_ciphers: 'HIGH',
    rsa_cert_file: certificate,
    rsa_private_key_file: key,
  };
  const path = `${root}.conf`;
  await writeFile(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const child = spawn('/usr/sbin/vsftpd', [path], { stdio: 'inherit' });
  await untilListening(port);
  return { port, child };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('vsftpd does not listen.');
}

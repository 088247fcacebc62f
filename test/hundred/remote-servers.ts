import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readForm } from '#server/delivery/fixtures/remote-http.js';
import { startS3Server } from '#server/delivery/fixtures/s3-server.js';
import { startSshd } from '#server/delivery/fixtures/sshd.js';
import { ftpPassword, ftpUser, startVsftpd } from '#server/delivery/fixtures/vsftpd.js';

/** A server of others to which a drop sends. */
export interface RemoteServer {
  readonly name: string;
  /** As the management API takes it. */
  readonly destination: object;
  /** Where its files are once `collect` was called. */
  readonly folder: string;
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** vsftpd, OpenSSH, an S3 server and an HTTP receiver; each keeps its files in a folder of its own. */
export async function startRemoteServers(dir: string): Promise<readonly RemoteServer[]> {
  return Promise.all([vsftpd(dir), openssh(dir), s3(dir), http(dir)]);
}

const host = '127.0.0.1';
const alreadyThere = async () => undefined;

async function vsftpd(dir: string): Promise<RemoteServer> {
  const folder = join(dir, 'ftp');
  await mkdir(folder);
  const { port, stop } = await startVsftpd({ root: folder, ownFolder: join(dir, 'vsftpd') });
  const secrets = { password: ftpPassword };
  const destination = { kind: 'ftp', host, port, user: ftpUser, path: '{name}', secrets };
  return { name: 'vsftpd', destination, folder, collect: alreadyThere, stop };
}

async function openssh(dir: string): Promise<RemoteServer> {
  const folder = join(dir, 'sftp');
  await mkdir(folder);
  const { port, user, privateKey, fingerprint, stop } = await startSshd(join(dir, 'sshd'), folder);
  const secrets = { private_key: privateKey };
  const settings = { kind: 'sftp', host, port, user, folder, host_key: fingerprint };
  return {
    name: "OpenSSH's SFTP server",
    destination: { ...settings, path: '{name}', secrets },
    folder,
    collect: alreadyThere,
    stop,
  };
}

async function s3(dir: string): Promise<RemoteServer> {
  const folder = join(dir, 's3');
  await mkdir(folder);
  const { settings, secrets, readBytes, stop } = await startS3Server();
  const { kind, endpoint, region, bucket, accessKeyId } = settings;
  return {
    name: "Ceph's S3 gateway",
    destination: {
      ...{ kind, endpoint, region, bucket },
      access_key_id: accessKeyId,
      path: '{name}',
      secrets: { secret_access_key: secrets.secretAccessKey },
    },
    folder,
    async collect() {
      for (const [key, bytes] of Object.entries(await readBytes())) await writeFile(join(folder, key), bytes);
    },
    stop,
  };
}

/** Takes forms, and keeps their files; a name that comes twice is a fault of the sender. */
async function http(dir: string): Promise<RemoteServer> {
  const folder = join(dir, 'http');
  await mkdir(folder);
  const server = createServer((request, response) => {
    const keep = async () => {
      const { files } = await readForm(request);
      for (const [, name, , content] of files) await writeFile(join(folder, name), content, { flag: 'wx' });
    };
    keep().then(
      () => response.writeHead(201).end(),
      () => response.writeHead(409).end(),
    );
  });
  server.listen(0, host);
  await new Promise((resolve) => server.once('listening', resolve));
  // The address of a server that listens on a port has this form.
  const { port } = server.address() as AddressInfo;
  return {
    name: 'an HTTP receiver',
    destination: { kind: 'http', address: `http://${host}:${port}/images`, path: '{name}' },
    folder,
    collect: alreadyThere,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

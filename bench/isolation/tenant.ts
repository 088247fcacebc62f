import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { freePort } from '../free-port.js';
import { runCommand, type Service, startService } from '../service.js';

/** Where one of two accounts of a service reaches it, and by which key. */
export interface TenantAddress {
  readonly url: string;
  readonly key: string;
  readonly ftpPort: number;
  readonly sftpPort: number;
  /** The destination of its drops. */
  readonly folder: string;
  /** The loopback address that its SFTP connections come from. */
  readonly localAddress: string;
}

export interface Tenant extends TenantAddress {
  readonly client: LynceusClient;
}

export async function openTenant(address: TenantAddress): Promise<Tenant> {
  await mkdir(address.folder, { recursive: true });
  return { ...address, client: createLynceusClient({ baseUrl: address.url, apiKey: address.key }) };
}

/** A service with two inference processes and two places for streams, and its two accounts. */
export async function startTenants(folder: string) {
  const [ftpPort, sftpPort] = [await freePort(), await freePort()];
  const service = await startService({
    LYNCEUS_INFERENCE_PROCESSES: '2',
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_SFTP_PORT: String(sftpPort),
    LYNCEUS_DROP_FOLDERS: folder,
    LYNCEUS_DROP_SETTLE_MS: '0',
    LYNCEUS_STREAM_MAX_PER_REPLICA: '2',
    LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const open = (name: string, key: string, localAddress: string) =>
    openTenant({ key, url: service.url, ftpPort, sftpPort, folder: join(folder, name), localAddress });
  return {
    service,
    own: await open('own', service.key, '127.0.0.1'),
    other: await open('other', await createAccount(service, 'other'), '127.0.0.2'),
  };
}

/** The key of a new account. */
async function createAccount({ dataDir }: Service, name: string): Promise<string> {
  const made = await runCommand(['keys', 'create', '--account', name, '--json'], {
    LYNCEUS_DATA_DIR: dataDir,
  });
  return (JSON.parse(made) as { readonly key: string }).key;
}

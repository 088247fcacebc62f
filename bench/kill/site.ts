import { createHash } from 'node:crypto';
import type { BlobStore } from '#server/storage/blobs/blob-store.js';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { blobsDir, dataFolder } from '#server/storage/data-folder.js';
import type { Storage } from '#server/storage/open-storage.js';
import { runCommandHere } from '../in-this-process.js';
import { readObject } from '../load/outcome.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import type { Service } from '../service.js';
import { orphanAgeMs } from './age-files.js';
import { digestVersion } from './digest-version.js';
import type { Lives, ServiceSettings } from './lives.js';

/** What is disturbed: one service on a folder, or replicas on a bucket. */
export interface Site {
  /** Of the first account. */
  readonly key: string;
  /** What a command beside the services is started with. */
  readonly settings: ServiceSettings;
  /** Those of the present lives. */
  services(): readonly SiteService[];
  /** Files of one kind, past the service and its caches. */
  openFiles(store: 'faces' | 'datasets'): Promise<FileReader>;
  /** Digest of the files of a model's version; null where it has none. */
  digestVersion(uid: string): Promise<string | null>;
  readonly timing: SiteTiming;
}

export interface SiteService extends Pick<Service, 'url' | 'metricsUrl'> {
  /** How it is named in findings; empty where it is alone. */
  readonly name: string;
  readonly ftpPort?: number;
  readonly sftpPort?: number;
}

export interface SiteTiming {
  /** Files without a row up to this age are allowed, because their row may follow. */
  readonly orphanAgeMs: number;
  /** For the sweep of a start, on a busy machine. */
  readonly sweptWithinMs: number;
  /** In which a service follows what another one changed, and a write that a fault cut short ends. */
  readonly settledWithinMs: number;
}

export interface FileReader extends Pick<BlobStore, 'read' | 'list'> {
  close(): void;
}

/** The one service of these lives. Only its first life prints the first key. */
export function siteOf(lives: Lives, ports: Pick<SiteService, 'ftpPort' | 'sftpPort'> = {}): Site {
  const { dataDir, settings } = lives;
  const { key } = lives.service;
  return {
    key,
    settings,
    services: () => [{ ...lives.service, ...ports, name: '' }],
    async openFiles(store) {
      const files = await openFolderBlobs(blobsDir(dataFolder(dataDir), store), {
        mayServiceBeRunning: true,
      });
      return { read: (id) => files.read(id), list: () => files.list(), close: () => undefined };
    },
    digestVersion: (uid) => digestVersion(dataDir, uid),
    timing: { orphanAgeMs, sweptWithinMs: 120_000, settledWithinMs: 0 },
  };
}

/** The database beside the services. */
export async function withStorage<Result>(
  { settings }: Pick<Site, 'settings'>,
  use: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const { LYNCEUS_DATA_DIR: dataDir = '', LYNCEUS_DATABASE_URL: databaseUrl } = settings;
  const storage = await openStorageBesideService(dataDir, databaseUrl);
  try {
    return await use(storage);
  } finally {
    await storage.close();
  }
}

/** A key of an account, which is made if it is not there. */
export async function makeKey({ settings }: Pick<Site, 'settings'>, account: string): Promise<string> {
  const made = await runCommandHere(['keys', 'create', '--account', account, '--json'], settings);
  return String(readObject(made)['key']);
}

/** SHA-256 of a file; null where it is missing. */
export async function digestFile(files: FileReader, id: string): Promise<string | null> {
  const kept = await files.read(id);
  if (kept === null) return null;
  const hash = createHash('sha256');
  for await (const piece of kept.stream) hash.update(piece);
  return hash.digest('hex');
}

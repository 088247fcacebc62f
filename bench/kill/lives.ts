import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../service.js';
import { type CrashScope, crashService } from './crash-service.js';

export type ServiceSettings = Readonly<Record<string, string>>;

/** A service over all its lives: each ends by kill -9, and the next runs on the data that it left. */
export interface Lives {
  /** Of the present life. */
  readonly service: Service;
  /** Has the data folder and the spool; removed with the last life. */
  readonly dir: string;
  readonly dataDir: string;
  readonly spoolDir: string;
  /** With the folders: what a command beside the service is started with. */
  readonly settings: ServiceSettings;
  /** @param whenDead ends the clients, and reads or changes the data before the next start */
  crash<Left>(crashScope: CrashScope, whenDead: () => Promise<Left>): Promise<Crash<Left>>;
}

export interface Crash<Left> {
  /** What `whenDead` returned. */
  readonly left: Left;
  /** Descriptions of processes that outlived their service. */
  readonly survivors: readonly string[];
  /** From the start of the next life until it was ready. */
  readonly restartMs: number;
}

/** Runs `live` with a service on folders of its own; stops the last life and removes the folders afterwards. */
export async function withLives<Result>(
  given: ServiceSettings,
  live: (lives: Lives) => Promise<Result>,
  start: (settings: ServiceSettings) => Promise<Service> = startService,
): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-kill-'));
  const [dataDir, spoolDir] = [join(dir, 'data'), join(dir, 'spool')];
  const settings = { LYNCEUS_DATA_DIR: dataDir, LYNCEUS_SPOOL_DIR: spoolDir, ...given };
  let service: Service | undefined;
  try {
    service = await start(settings);
    const lives = {
      service,
      ...{ dir, dataDir, spoolDir, settings },
      async crash<Left>(crashScope: CrashScope, whenDead: () => Promise<Left>) {
        const survivors = await crashService(lives.service, crashScope);
        await lives.service.stop();
        const left = await whenDead();
        const startedAt = performance.now();
        service = await start(settings);
        lives.service = service;
        return { left, survivors, restartMs: performance.now() - startedAt };
      },
    };
    return await live(lives);
  } finally {
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

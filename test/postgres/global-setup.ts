import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Cluster, findPostgres, startCluster } from '#bench/postgres/cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    postgres?: { readonly adminUrl: string; readonly template: string };
  }
}

const template = 'lynceus_template';
const commandLine = new URL('../../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await providePostgres(project);
  return async () => cluster?.remove();
}

/**
 * Starts a server for the tests of the project, with a migrated database to make theirs from. Null where PostgreSQL is not
 * installed.
 */
export async function providePostgres(project: TestProject): Promise<Cluster | null> {
  const programs = findPostgres();
  if (programs === null) {
    // Where CI is set its tests are not skipped: each fails, and those on SQLite run all the same.
    project.provide('postgres', { adminUrl: '', template });
    return null;
  }
  const cluster = await startCluster(programs);
  try {
    await makeTemplate(cluster);
  } catch (error) {
    await cluster.remove();
    throw error;
  }
  project.provide('postgres', { adminUrl: cluster.url('postgres'), template });
  return cluster;
}

/** Any command of the service makes its tables in a database that is empty. */
async function makeTemplate(cluster: Cluster): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lynceus-template-'));
  const command = `
    import pg from 'pg';
    const admin = new pg.Client(process.env.ADMIN_URL);
    await admin.connect();
    await admin.query('CREATE DATABASE ${template}');
    await admin.end();
    const { runCommandLine } = await import('${commandLine}');
    process.exitCode = await runCommandLine(['accounts', 'list']);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', command], {
    env: {
      PATH: process.env['PATH'],
      ADMIN_URL: cluster.url('postgres'),
      LYNCEUS_DATABASE_URL: cluster.url(template),
      LYNCEUS_DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  await rm(dataDir, { recursive: true, force: true });
  if (code !== 0) throw new Error('the tables could not be made in PostgreSQL');
}

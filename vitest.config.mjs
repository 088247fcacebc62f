import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';

// The tests run as compiled: what is tested is what ships, and forked processes and workers find their entry files.
// Those that use a database run on SQLite and, where there is one, once more on a real PostgreSQL.
export default defineConfig({
  test: {
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    // Tests that load ONNX Runtime themselves send nothing either.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['packages/*/dist/**/*.test.js', 'bench/dist/**/*.test.js', 'test/dist/**/*.test.js'],
          exclude: ['**/node_modules/**', ...testsOfPostgres()],
        },
      },
      ...(await postgresProjects()),
    ],
  },
});

async function postgresProjects() {
  const setup = './test/dist/postgres/global-setup.js';
  const cluster = './test/dist/postgres/cluster.js';
  if (!existsSync(cluster)) return [];
  const { findPostgres } = await import(pathToFileURL(resolve(cluster)).href);
  if (findPostgres() === null && process.env.CI !== 'true') {
    console.warn('skipped: tests on PostgreSQL, whose programs initdb and pg_ctl are not installed');
    return [];
  }
  const include = testsOfDatabases('packages/server/dist');
  return [{ extends: true, test: { name: 'postgres', include, globalSetup: [setup] } }];
}

/** Those of PostgreSQL's own ways, which need one; the pure ones among its tests run like any. */
function testsOfPostgres() {
  return testsOfDatabases('packages/server/dist').filter((path) => path.includes('postgres'));
}

/** The tests that open a database through the fixtures, which know where a run's databases are. */
function testsOfDatabases(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .map((path) => join(folder, path))
    .filter((path) =>
      /fixtures\/(test-database|test-service|stored-faces|stored-models|memory-trial|job-trial|drop-trial|working-drop)\.js'/.test(
        readFileSync(path, 'utf8'),
      ),
    );
}

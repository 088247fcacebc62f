import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { buildBundle } from './scripts/setup/build.mjs';
import { LongestFirst } from './scripts/testing/longest-first.mjs';
import { makeTemporaryFolder } from './scripts/testing/temporary-folder.mjs';

const load = 'test/dist/load.test.js';
/** Of what a request or a file may hold, which no database sees: they take minutes, and run on SQLite alone. */
const aboveDatabases =
  /(api\/preview|datasets\/(transfer|odd-names)|session\/(cookie|csrf|guessing)|models\/(limits|upload)|http\/(rate-limits|connections|refused|leaving|every-answer|asked-ids)|errors-v1|hostile-archives|storage\/restore\/crashed-restore)\.test\.js$/;
/** They start the service in processes of its own, and leave theirs as it was. */
const testsOfTheWhole = ['bench/dist/**/*.test.js', 'test/dist/**/*.test.js'];

// Services that tests start are the bundle; `tsc -b` alone leaves an older one.
await buildBundle(import.meta.dirname);

// Inherited by the processes of the tests and all that these start.
process.env.TMPDIR = makeTemporaryFolder();

// The tests run as compiled: what is tested is what ships, and forked processes and workers find their entry files.
// Those that use a database run on SQLite and, where there is one, once more on a real PostgreSQL.
export default defineConfig({
  test: {
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    // Two more than the cores that a machine of ours has at least: those that wait for a service leave them idle.
    maxWorkers: 4,
    // One file after the other in a process, which loads our modules once: they keep no state.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    server: { deps: { external: [/\/(packages\/\w+|bench|test)\/dist\/(?!.*\.test\.js)/] } },
    // Tests that load ONNX Runtime themselves send nothing either.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    // Far above what any takes, for the machine may be busy: a test of time measures it.
    testTimeout: 180_000,
    // On a busy machine. The run lists what needed it, and fails where the input was random: failures-at-once.mjs.
    retry: 1,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: testsOfTheWhole,
          exclude: ['**/node_modules/**', load, ...testsAlone()],
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: testsAlone(), isolate: true },
      },
      {
        extends: true,
        // Last and with nothing beside it: it judges times under all the load that the machine takes.
        test: { name: 'load', include: [load], isolate: true, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['packages/*/dist/**/*.test.js'],
          exclude: ['**/node_modules/**', ...testsAlone(), ...testsOfPostgres()],
          globalSetup: setupOf('sqlite'),
        },
      },
      {
        // The page's own: vite compiles them as it compiles the page.
        extends: true,
        test: {
          name: 'console',
          include: ['packages/console/src/**/*.test.ts'],
          setupFiles: ['./packages/console/src/fixtures/document.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      ...(await postgresProjects()),
    ],
  },
});

async function postgresProjects() {
  const cluster = './test/dist/postgres/cluster.js';
  if (!existsSync(cluster)) return [];
  const { findPostgres } = await import(pathToFileURL(resolve(cluster)).href);
  if (findPostgres() === null && process.env.CI !== 'true') {
    console.warn('skipped: tests on PostgreSQL, whose programs initdb and pg_ctl are not installed');
    return [];
  }
  const include = testsOfDatabases('packages/server/dist').filter((path) => !aboveDatabases.test(path));
  return [
    {
      extends: true,
      test: { name: 'postgres', include, globalSetup: setupOf('postgres') },
    },
  ];
}

function setupOf(database) {
  const setup = `./test/dist/${database}/global-setup.js`;
  return existsSync(setup) ? [setup] : [];
}

/** Those that change the process they are in: its priority, what sharp may open. */
function testsAlone() {
  return ['packages/engine/dist', 'test/dist']
    .flatMap(testsIn)
    .filter((path) => /confineSharp/.test(readFileSync(path, 'utf8')));
}

/** Those of PostgreSQL's own ways, which need one; the pure ones among its tests run like any. */
function testsOfPostgres() {
  return testsOfDatabases('packages/server/dist').filter((path) => path.includes('postgres'));
}

/** The tests that open a database through the fixtures, which know where a run's databases are. */
function testsOfDatabases(folder) {
  return testsIn(folder).filter((path) =>
    /fixtures\/(test-database|test-service|stored-faces|stored-models|memory-trial|job-trial|drop-trial|working-drop|filled-folder)\.js'/.test(
      readFileSync(path, 'utf8'),
    ),
  );
}

function testsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .map((path) => join(folder, path));
}

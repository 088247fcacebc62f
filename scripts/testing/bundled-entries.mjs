import childProcess from 'node:child_process';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads from 'node:worker_threads';

// For --import: processes and threads that tests start are those of the bundle, which ships; they load in a third of the time of
// those that are compiled alone. Entries that are not in the bundle, such as fixtures, stay what they are.

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
const compiled = /^(engine|server)\/dist\/(.+)\.js$/;

/** @param entry A path or an address. */
function bundled(entry) {
  const path = String(entry).startsWith('file:') ? fileURLToPath(entry) : String(entry);
  const [, name, within] = compiled.exec(path.startsWith(packages) ? path.slice(packages.length) : '') ?? [];
  if (name === undefined) return entry;
  const file = join(packages, 'server/dist/bundle', `${name}-${within.replaceAll('/', '-')}.mjs`);
  return existsSync(file) ? file : entry;
}

const { fork } = childProcess;
childProcess.fork = (entry, ...rest) => fork(bundled(entry), ...rest);
workerThreads.Worker = class extends workerThreads.Worker {
  constructor(entry, options) {
    super(bundled(entry), options);
  }
};
syncBuiltinESMExports();

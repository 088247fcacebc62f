import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { callsPath, documentPath } from './client/write-client.mjs';
import { prepare, root, runScript } from './setup/prepare.mjs';

/** Editors write a file in several steps. */
const settleMs = 150;

// npm run test:watch -- packages/server/src/http/arrival.test.ts: compiles what changes, and runs these tests again. Paths may be
// those of sources or parts of names; on SQLite alone.
await runScript(async () => {
  await prepare({ scope: 'all' });
  const words = process.argv.slice(2).map(toCompiled);
  followClient();
  const compiler = startNode([
    join('node_modules', 'typescript-7', 'bin', 'tsc'),
    '-b',
    '--watch',
    '--preserveWatchOutput',
  ]);
  const projects = ['sqlite', 'whole', 'alone', 'console'].flatMap((name) => ['--project', name]);
  const tests = startNode([join('node_modules', 'vitest', 'vitest.mjs'), 'watch', ...projects, ...words]);
  const [code] = await once(tests, 'exit');
  compiler.kill();
  return code ?? 1;
});

/** Writes the generated part of the client again when what it is made of changes; the compiler then sees it. */
function followClient() {
  let timer;
  for (const path of [callsPath, documentPath]) {
    watch(join(root, dirname(path)), (_, name) => {
      if (name === null || !path.endsWith(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => startNode([join('scripts', 'client.mjs')]), settleMs);
    }).unref();
  }
}

/** Tests run as compiled, but for those of the console. */
function toCompiled(word) {
  const path = relative(root, word.startsWith('/') ? word : join(root, word));
  if (path.startsWith('packages/console/')) return path;
  return path
    .replace(/^packages\/(\w+)\/src\//, 'packages/$1/dist/')
    .replace(/^(test|bench)\/(?!dist\/)/, '$1/dist/')
    .replace(/\.ts$/, '.js');
}

function startNode(words) {
  return spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, TEST_SCOPE: 'watch' },
    stdio: 'inherit',
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { callsPath, documentPath, generatedFolder } from './client/write-client.mjs';
import { forgetBuilds } from './setup/build-stamps.mjs';
import { prepare, root, runScript } from './setup/prepare.mjs';
import { changesBelow } from './setup/watch-below.mjs';

const folders = ['packages/engine', 'packages/server', 'packages/client', 'test', 'bench'];
const clientParts = [callsPath, documentPath].map((path) => join(root, path));

// npm run test:watch -- packages/server/src/http/arrival.test.ts: compiles what changes, and runs these tests again. Paths may be
// those of sources or parts of names; on SQLite alone.
await runScript(async () => {
  await prepare({ scope: 'all' });
  const words = process.argv.slice(2).map(toCompiled);
  const projects = ['sqlite', 'whole', 'alone', 'console'].flatMap((name) => ['--project', name]);
  const tests = startNode([join('node_modules', 'vitest', 'vitest.mjs'), 'watch', ...projects, ...words]);
  tests.once('exit', (code) => process.exit(code ?? 1));
  // The compiler's own watch looks at every file in turn, which takes it half a minute and a processor.
  for await (const _ of changesBelow(
    folders.map((folder) => join(root, folder)),
    isSource,
  )) {
    forgetBuilds(root, ['all']);
    await once(startNode([join('scripts', 'client.mjs')]), 'exit');
    const [code] = await once(startNode([join('node_modules', 'typescript-7', 'bin', 'tsc'), '-b']), 'exit');
    process.stderr.write(code === 0 ? 'Compiled.\n' : 'Not all is compiled.\n');
  }
});

function isSource(path) {
  const isWritten = path.startsWith(join(root, generatedFolder));
  return (/\.tsx?$/.test(path) && !isWritten) || clientParts.includes(path);
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

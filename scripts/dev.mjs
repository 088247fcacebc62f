import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { prepare, root, runScript } from './setup/prepare.mjs';
import { changesBelow } from './setup/watch-below.mjs';

const entry = join(root, 'packages', 'server', 'dist', 'bundle', 'lynceus.mjs');
const serve = `process.exitCode = await (await import(${JSON.stringify(entry)})).runCommandLine(process.argv.slice(1));`;
const folders = ['engine', 'server'].map((name) => join(root, 'packages', name, 'src'));
const isSource = (path) => path.endsWith('.ts') && !path.endsWith('.test.ts');

// npm run dev [-- words of serve]: the service, which is bundled again and restarted when a source of the engine or the server
// changes. A source that cannot be bundled leaves the service as it is.
await runScript(async () => {
  await prepare();
  const changes = changesBelow(folders, isSource);
  for (let service = startService(); ; ) {
    await changes.next();
    process.stderr.write('Bundling…\n');
    if ((await exitOf(startNode([join(root, 'scripts', 'setup', 'bundle.mjs'), root]))) !== 0) continue;
    service.kill('SIGTERM');
    await exitOf(service);
    service = startService();
  }
});

function startService() {
  return startNode(['--input-type=module', '-e', serve, 'serve', ...process.argv.slice(2)]);
}

function startNode(words) {
  return spawn(process.execPath, words, { cwd: root, stdio: 'inherit' });
}

async function exitOf(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root, runScript } from './setup/prepare.mjs';

// npm run bench -- …: the benchmarks of this clone.
await runScript(async () => {
  await prepare({ scope: 'all' });
  const { runBench } = await import(pathToFileURL(join(root, 'bench', 'dist', 'main.js')).href);
  return runBench(process.argv.slice(2));
});

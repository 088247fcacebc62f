import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root, runScript } from './setup/prepare.mjs';

// npm run bench -- …: the benchmarks of this clone; the module runs what the words after -- ask for.
await runScript(async () => {
  await prepare({ scope: 'all' });
  await import(pathToFileURL(join(root, 'bench', 'dist', 'main.js')).href);
});

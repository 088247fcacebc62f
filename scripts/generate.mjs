import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { forgetBuilds } from './setup/build-stamps.mjs';
import { prepare, root, runScript } from './setup/prepare.mjs';
import { runQuietly } from './setup/quiet-run.mjs';

// npm run generate -- …: what is written from the sources: pages of the docs, the OpenAPI document, screenshots.
await runScript(async () => {
  await prepare({ scope: 'product', packages: 'all' });
  // Not the console: its types come from the document that is to be written.
  forgetBuilds(root, ['all']);
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  await runQuietly(process.execPath, [tsc, '-b', '--checkers', '1', 'scripts/generate'], {
    cwd: root,
    env: process.env,
    failure: 'The build failed',
  });
  await import(pathToFileURL(join(root, 'scripts', 'generate', 'dist', 'main.js')).href);
});

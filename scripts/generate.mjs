import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root, runScript } from './setup/prepare.mjs';

// npm run generate -- …: what is written from the sources: pages of the docs, the OpenAPI document, screenshots.
await runScript(async () => {
  await prepare({ scope: 'all' });
  await import(pathToFileURL(join(root, 'scripts', 'generate', 'dist', 'main.js')).href);
});

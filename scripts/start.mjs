import { runCommand } from './setup/command-line.mjs';
import { prepare, runScript } from './setup/prepare.mjs';

// npm start: everything that a fresh clone lacks, then the service, in this process.
await runScript(async () => {
  await prepare();
  const installed = await runCommand('models', 'install', '--keep-older');
  return installed === 0 ? runCommand('serve', ...process.argv.slice(2)) : installed;
});

import { runCommand } from './setup/command-line.mjs';
import { prepare, runScript } from './setup/prepare.mjs';

// npm start: everything that a fresh clone lacks, then the service, in this process.
await runScript(async () => {
  // Fetching waits for the network, and building the page for the processor: together they take as long as one of them.
  let installed;
  const installModels = async () => {
    installed ??= await runCommand('models', 'install', '--keep-older');
  };
  await prepare({ whenBundled: installModels });
  await installModels();
  return installed === 0 ? runCommand('serve', ...process.argv.slice(2)) : installed;
});

import { runCommand } from './setup/command-line.mjs';
import { prepare, runScript } from './setup/prepare.mjs';

// npm run -s lynceus -- …: the command line of this clone. Standard output holds the command's answer and no more.
await runScript(async () => {
  await prepare({ quiet: true });
  return runCommand(...process.argv.slice(2));
});

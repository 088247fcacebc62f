import { runCommand } from './setup/command-line.mjs';
import { prepare, runScript } from './setup/prepare.mjs';
import { lint } from './testing/lint.mjs';
import { runTests } from './testing/run-tests.mjs';

// npm test: sets up, lints, runs every test, and ends with one line of counts. Words after -- go to vitest, and then
// the linter is left out.
await runScript(async () => {
  const words = process.argv.slice(2);
  await prepare({ scope: 'all' });
  // What the settings need, and the faces of another revision that tests change a database to.
  const missing =
    (await runCommand('models', 'install')) || (await runCommand('models', 'install', 'dlib-resnet'));
  if (missing !== 0) {
    process.stderr.write('Tests that need these models are skipped, or fail where CI is set.\n');
  }
  const counts = words.length > 0 ? [] : [await lint()];
  counts.push(await runTests(words));

  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
  return sum('failed') > 0 ? 1 : 0;
});

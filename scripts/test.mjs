import { runCommand } from './setup/command-line.mjs';
import { prepare, runScript } from './setup/prepare.mjs';
import { lint } from './testing/lint.mjs';
import { listLeftOut } from './testing/list-left-out.mjs';
import { runTests } from './testing/run-tests.mjs';

// npm test: sets up, lints, runs the tests that take minutes together, and ends with one line of counts. With CI=true, or
// as npm run test:full, it runs all of them; as npm run test:replicas, some with two replicas for each service. Words after -- go to vitest, which then runs all that they name; the
// linter is left out.
await runScript(async () => {
  const words = process.argv.slice(2);
  await prepare({ scope: 'all' });
  // What the settings need, and the faces of another revision that tests change a database to.
  const missing =
    (await runCommand('models', 'install')) || (await runCommand('models', 'install', 'dlib-resnet'));
  if (missing !== 0) {
    process.stderr.write('Tests that need these models are skipped, or fail where CI is set.\n');
  }
  const isShort = words.length === 0 && process.env.CI !== 'true' && process.env.TEST_SCOPE === undefined;
  if (isShort) process.env.TEST_SCOPE = 'short';
  const counts = words.length > 0 ? [] : [await lint()];
  counts.push(await runTests(words));

  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  const leftOut = [...(isShort ? listLeftOut() : []), ...counts.flatMap(({ skippedTests }) => skippedTests)];
  if (leftOut.length > 0) process.stdout.write(`Left out:\n${leftOut.map((each) => `  ${each}\n`).join('')}`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
  return sum('failed') > 0 ? 1 : 0;
});

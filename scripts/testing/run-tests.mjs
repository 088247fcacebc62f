import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';
import { runWithInheritedStdio } from './run-with-inherited-stdio.mjs';

/** Runs vitest and counts. A run that failed without a failed test, for want of memory say, counts as one failure. */
export async function runTests(words) {
  const folder = mkdtempSync(join(tmpdir(), 'lynceus-test-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    const atOnce = join(root, 'scripts', 'testing', 'failures-at-once.mjs');
    const reporters = [
      '--reporter=default',
      `--reporter=${atOnce}`,
      '--reporter=json',
      `--outputFile.json=${report}`,
    ];
    const code = await runWithInheritedStdio([vitest, 'run', ...reporters, ...words]);
    const counts = readReport(report);
    if (code !== 0 && counts.failed === 0) counts.failed = 1;
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    // A file that cannot be loaded has no test that could fail.
    const broken = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests + broken.length,
      skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
      skippedTests: testResults.flatMap(({ assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'pending' || status === 'skipped')
          .map(({ fullName }) => `skipped: ${fullName}`),
      ),
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, skippedTests: [] };
  }
}

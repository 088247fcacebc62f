import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';
import { runWithInheritedStdio } from './run-with-inherited-stdio.mjs';

/** The linter counts as one test. */
export async function lint() {
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const code = await runWithInheritedStdio([
    biome,
    'ci',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    '.',
  ]);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, skippedTests: [] };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = new URL('./optimise-early.js', import.meta.url).href;

/** Calls of a function until V8 has optimised it; 1,000,000 when it never does. */
async function callsUntilOptimised(start: string, options: readonly string[] = []): Promise<number> {
  const script = `
    const { optimiseEarly } = await import('${module}');
    ${start}
    function add(a, b) { let sum = 0; for (let i = 0; i < 10; i++) sum += a * i + b; return sum; }
    const isOptimised = () => (%GetOptimizationStatus(add) & 16) !== 0;
    let calls = 0;
    while (calls < 1e6 && !isOptimised()) {
      for (let i = 0; i < 20; i++) add(calls, i);
      calls += 20;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    console.log(calls);`;
  const words = [
    '--allow-natives-syntax',
    '--no-concurrent-recompilation',
    ...options,
    '--input-type=module',
    '-e',
    script,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}

test.runIf(process.versions.node.startsWith('20.'))(
  'functions are optimised after fewer calls, unless the command line has a budget',
  async () => {
    const [usual, early, given] = await Promise.all([
      callsUntilOptimised(''),
      callsUntilOptimised('optimiseEarly();'),
      callsUntilOptimised('optimiseEarly();', ['--interrupt-budget=67584']),
    ]);
    expect(early).toBeLessThan(usual / 2);
    expect(given).toBeGreaterThan(early * 2);
  },
);

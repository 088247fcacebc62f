import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../main.js', import.meta.url));

test('a benchmark whose service cannot start ends with the reason', async () => {
  const data = mkdtempSync(join(tmpdir(), 'lynceus-accuracy-'));
  try {
    const run = promisify(execFile)(process.execPath, [main, 'accuracy', '--data', data], {
      env: { ...process.env, LYNCEUS_DATABASE_URL: 'nonsense://' },
      timeout: 120_000,
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      killed: false,
      stderr: expect.stringContaining('LYNCEUS_DATABASE_URL'),
    });
  } finally {
    rmSync(data, { recursive: true });
  }
});

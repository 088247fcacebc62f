import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-traces-'));
  // The second line of the file is the tenth of the source, from its third column on.
  const map = { version: 3, sources: ['src/thrower.ts'], names: [], mappings: ';AASE' };
  const thrower = `export const nothing = 0;\nexport function fail() { throw new TypeError('on purpose'); }\n`;
  await writeFile(join(dir, 'thrower.mjs'), thrower);
  await writeFile(join(dir, 'thrower.mjs.map'), JSON.stringify(map));
  await writeFile(join(dir, 'made.mjs'), thrower);
  await writeFile(join(dir, 'made.mjs.map'), JSON.stringify({ ...map, sources: ['entry:made'] }));
  await writeFile(join(dir, 'plain.mjs'), thrower);
  await writeFile(join(dir, 'broken.mjs'), thrower);
  await writeFile(join(dir, 'broken.mjs.map'), '{');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const traceOf = async (file: string): Promise<readonly string[]> => {
  const traces = new URL('./source-traces.js', import.meta.url).href;
  const script = `(await import('${traces}')).nameSourcesInTraces();
    const { fail } = await import('${join(dir, file)}');
    try { fail(); } catch (error) { console.log(error.stack); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.split('\n');
};

test('a trace names the source and its line', async () => {
  const [message, thrown] = await traceOf('thrower.mjs');
  expect(message).toBe('TypeError: on purpose');
  expect(thrown).toBe(`    at fail (${join(dir, 'src/thrower.ts')}:10:3)`);
});

test.each(['plain.mjs', 'broken.mjs', 'made.mjs'])(
  'a file without a source is shown as it is: %s',
  async (file) => {
    expect((await traceOf(file))[1]).toBe(`    at fail (file://${join(dir, file)}:2:32)`);
  },
);

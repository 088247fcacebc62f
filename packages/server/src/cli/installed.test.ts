import { expect, test } from 'vitest';
import { runInstalled } from './installed.js';

async function run(env: Readonly<Record<string, string>>, ...words: string[]) {
  const printed: string[] = [];
  const write = (text: string) => void printed.push(text);
  const code = await runInstalled(words, { env, cwd: '/', print: write, note: write });
  return { code, text: printed.join('\n') };
}

async function dataDirOf(env: Readonly<Record<string, string>>, ...words: string[]): Promise<string> {
  const { text } = await run(env, ...words, 'config', '--json');
  const settings: { readonly name: string; readonly value: string }[] = JSON.parse(text);
  return settings.find(({ name }) => name === 'dataDir')?.value ?? '';
}

test('data is in the folder of the user, of the setting, or of the option', async () => {
  expect(await dataDirOf({ HOME: '/home/anna' })).toBe('/home/anna/.local/share/lynceus');
  expect(await dataDirOf({ HOME: '/home/anna', LYNCEUS_DATA_DIR: '/srv/data' })).toBe('/srv/data');
  expect(await dataDirOf({ LYNCEUS_DATA_DIR: '/srv/data' }, '--data', '/srv/other')).toBe('/srv/other');
});

test('a question about serving starts nothing', async () => {
  expect(await run({}, 'serve', '--help')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/run the service/),
  });
  expect(await run({}, '--version')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect(await run({}, '--data')).toMatchObject({ code: 2 });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runCommandLine } from './main.js';

async function help(...words: string[]): Promise<string> {
  const lines: string[] = [];
  const write = (text: string) => lines.push(text);
  expect(await runCommandLine(words, { env: {}, cwd: '/', print: write, note: write })).toBe(0);
  return lines.join('\n');
}

/** The list of commands by name, each entry on one line, however it was broken. */
function listed(text: string): Map<string, string> {
  const list = text.slice(text.indexOf('Commands:'));
  const entries = list.split(/\n {2}(?=\S)/).slice(1);
  return new Map(entries.map((entry) => [entry.split(' ')[0] ?? '', entry.replace(/\s+/g, ' ').trim()]));
}

test('the list says of each command what the command says of itself', async () => {
  const list = listed(await help('--help'));
  expect(list.size).toBe(26);
  for (const [name, entry] of list) {
    if (name === 'help') continue;
    const [usage = '', description = ''] = (await help(name, '--help')).split('\n\n');
    const words = usage.replace(/^Usage: lynceus |\[options\] ?|\[command\]/g, '').trim();
    expect(entry.replace('[options] ', ''), name).toBe(`${words} ${description.replace(/\s+/g, ' ')}`);
  }
});

test('the list is the same when one of the commands is loaded', async () => {
  const list = await help('--help');
  expect(await help('help')).toBe(list);
  const lines: string[] = [];
  const write = (text: string) => lines.push(text);
  await runCommandLine(['--help', 'keys'], { env: {}, cwd: '/', print: write, note: write });
  expect(lines.join('\n')).toBe(list);
});

test('help of a command is found by both of its forms', async () => {
  expect(await help('help', 'keys')).toBe(await help('keys', '--help'));
});

test('a reader of its output who has seen enough is no failure', async () => {
  const module = new URL('./main.js', import.meta.url).href;
  const script = `process.exitCode = await (await import('${module}')).runCommandLine(['config'])`;
  const words = [process.execPath, '--input-type=module', '-e', script];
  const { stderr } = await promisify(execFile)('/bin/sh', ['-c', '"$@" | true', 'sh', ...words], {
    cwd: '/',
  });
  expect(stderr).toBe('');
});

import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { explainFailure } from './explain-failure.js';

test.each([
  [() => readFile('/nowhere/at/all.jpg'), '/nowhere/at/all.jpg: there is no such file or folder (ENOENT)'],
  [() => writeFile('/', ''), '/: it is a folder; give the path of a file (EISDIR)'],
  [
    () => writeFile('/etc/hostname/x', ''),
    /^\/etc\/hostname\/x: a part of the path is a file; .* \(ENOTDIR\)$/,
  ],
])('a failure of the operating system says where, and what to do: %#', async (work, text) => {
  const failure: unknown = await work().then(
    () => null,
    (error: unknown) => error,
  );
  const explained = explainFailure(failure);
  if (typeof text === 'string') expect(explained).toBe(text);
  else expect(explained).toMatch(text);
});

test('a full disk is named without a path where the system gives none', () => {
  const failure = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  expect(explainFailure(failure)).toBe('the disk is full; make room on it (ENOSPC)');
});

test('other errors keep their message', () => {
  expect(explainFailure(new Error('There is no file a.jpg'))).toBe('There is no file a.jpg');
  expect(explainFailure('odd')).toBe('odd');
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeZip } from '../../archive/fixtures/make-zip.js';
import { isDiskFullHere } from '../../jobs/retries.js';
import { startTreeThread } from './tree-thread.js';

// Linux has a file on a disk that is always full.
test.runIf(process.platform === 'linux')('a full disk reaches the job as one', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-tree-'));
  const thread = startTreeThread(new AbortController().signal);
  onTestFinished(async () => {
    await thread.close();
    await rm(dir, { recursive: true });
  });
  const path = join(dir, 'a.zip');
  await writeFile(path, makeZip([{ name: 'cat/1.jpg', bytes: Buffer.from('an image') }]));
  await thread.ask({ ask: 'plan', location: { kind: 'zip', path }, format: null });
  const extracting = thread.ask({ ask: 'extract', path: 'cat/1.jpg', toPath: '/dev/full', maxBytes: 1000 });
  const error: unknown = await extracting.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'ENOSPC' });
  expect(isDiskFullHere(new Error('in the words for its owner', { cause: error }))).toBe(true);
});

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TagVerdict } from '../tagging/verdict.js';
import type { TagView } from './tag-view.js';
import { withoutRepeats } from './tag-view-repeats.js';

test('a file that fails is shown again when it changes or fails otherwise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-tag-view-'));
  try {
    const path = join(folder, 'a.jpg');
    await writeFile(path, 'a', { mode: 0o444 });
    let shown = 0;
    const view = withoutRepeats<Pick<TagView, 'showTagged'>>({
      showTagged() {
        shown += 1;
      },
    });
    const failed: TagVerdict = {
      path,
      outcome: 'failed',
      added: [],
      sidecar: null,
      reason: 'it is read-only',
    };
    view.showTagged(failed);
    view.showTagged(failed);
    expect(shown).toBe(1);
    await chmod(path, 0o440);
    view.showTagged(failed);
    view.showTagged({ ...failed, reason: 'another' });
    expect(shown).toBe(3);
    view.showTagged({ ...failed, outcome: 'tagged', reason: null });
    view.showTagged(failed);
    expect(shown).toBe(5);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

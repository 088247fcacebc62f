import { describe, expect, test } from 'vitest';
import { moveAndBack } from '#bench/moved-blobs/move.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { haveDefaultModels } from '../support/default-models.js';

const canRun = haveStore('ceph') && (await haveDefaultModels());

// The short form of `npm run bench -- moved-blobs`, which moves 10,000 images and 1,000 people.
describe.skipIf(!canRun)('an installation whose images and models move to a bucket and back', () => {
  test('keeps every byte, though each copy is killed again and again, and a switch too early moves nothing', {
    timeout: 300_000,
  }, async () => {
    const moved = await moveAndBack(
      { images: 80, people: 3, versions: 3 },
      { kills: 2, log: () => undefined },
    );
    // With three versions and a prediction.
    expect(moved.inFolder).toHaveLength(80 + 3 + 4);
    expect(moved.inBucket).toEqual(moved.inFolder);
    expect(moved.inFolderAgain).toEqual(moved.inFolder);
    const all = expect.stringContaining(`all ${80 + 3 + 3} files, byte for byte`);
    expect(moved.verified).toEqual([all, all]);
    expect(moved.refusals).toEqual([
      expect.stringContaining('Another service runs'),
      expect.stringContaining('blobs copy'),
      expect.stringContaining('set LYNCEUS_BLOBS'),
    ]);
  });
});

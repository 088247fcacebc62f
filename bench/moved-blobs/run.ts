import { moveAndBack } from './move.js';

/** Copies that are killed, on each way. */
const kills = 5;

/** Moves a filled installation to a bucket and back; throws when a byte is another one or something was not refused. */
export async function runMovedBlobs({
  images,
  people,
}: {
  readonly images: number;
  readonly people: number;
}): Promise<void> {
  const begun = performance.now();
  const log = (line: string) =>
    console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  const amounts = { images, people, versions: 3 };
  const { inFolder, inBucket, inFolderAgain, refusals } = await moveAndBack(amounts, { kills, log });
  const differing = inFolder.filter(
    (digest, index) => inBucket[index] !== digest || inFolderAgain[index] !== digest,
  );
  const lengths = [inFolder.length, inBucket.length, inFolderAgain.length];
  console.log(
    `${lengths.join(', ')} answers read in the folder, in the bucket and back; ${differing.length} differ`,
  );
  for (const refusal of refusals) console.log(`refused: ${refusal.split('\n').slice(1).join(' ').trim()}`);
  if (differing.length > 0 || new Set(lengths).size > 1 || refusals.includes('not refused')) {
    throw new Error('the installation is not as it was');
  }
}

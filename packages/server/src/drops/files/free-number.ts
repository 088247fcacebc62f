/**
 * A number from 1 up that is free, of those used mostly in order: found in few looks however many are taken, so that a
 * camera that calls all its images alike does not make each of them slower than the one before.
 */
export async function findFreeNumber(isFree: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 0;
  let free = 1;
  while (!(await isFree(free))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const between = Math.floor((taken + free) / 2);
    if (await isFree(between)) free = between;
    else taken = between;
  }
  return free;
}

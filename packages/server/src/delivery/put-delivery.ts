import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { withinLimits } from './delivery-limits.js';
import { DeliveryError, type DeliveryLimits, type Destination } from './destination.js';
import type { IfExists } from './destination-settings.js';
import { makeTestFile, type OutgoingFile, outgoingFilesOf } from './outgoing-file.js';
import type { RemoteFolder, UseRemoteFolder } from './remote-folder.js';
import { checkNames, findNumbers, numberNames } from './remote-names.js';

/** A destination that stores files by name. */
export function deliverToRemoteFolder(
  useRemoteFolder: UseRemoteFolder,
  ifExists: IfExists,
  { wholeTimeoutMs }: DeliveryLimits,
): Destination {
  return {
    deliver: (delivery, signal) =>
      withinLimits(signal, wholeTimeoutMs, async (within) => {
        checkNames([...delivery.folders, ...delivery.files.map(({ name }) => name)]);
        const files = outgoingFilesOf(delivery);
        return await useRemoteFolder(delivery.folders, within, async (folder) => {
          const name = await putDelivery(folder, files, { ifExists, isRepeated: delivery.isRepeated });
          return { where: folder.describeLocation(name) };
        });
      }),
    test: (signal) =>
      withinLimits(signal, wholeTimeoutMs, (within) => {
        const file = makeTestFile(randomUUID());
        return useRemoteFolder([], within, async (folder) => {
          await folder.put(file.name, file, true);
          await folder.remove(file.name);
          return { where: folder.describeLocation(file.name) };
        });
      }),
  };
}

const maxNumber = 9999;

/**
 * Puts the files of a delivery into a folder under one number, and returns the image's name there. When an earlier attempt may have
 * succeeded, the image is first searched under its name and every numbered one. It is sent last, so that the other files exist when
 * it does.
 */
export async function putDelivery(
  folder: RemoteFolder,
  files: readonly OutgoingFile[],
  { ifExists, isRepeated }: { readonly ifExists: IfExists; readonly isRepeated: boolean },
): Promise<string> {
  const names = files.map(({ name }) => name);
  const image = files.at(-1);
  if (image === undefined) throw new DeliveryError('settings', 'the delivery has no files');
  const nameOf = (number: number) => numberNames(names, number).at(-1) ?? image.name;

  let begun: Begun | null = null;
  if (isRepeated) {
    const numbers = ifExists === 'rename' ? await possibleNumbers(folder, names) : [1];
    for (const number of numbers) {
      if (await isThere(folder, nameOf(number), image)) return nameOf(number);
    }
    begun = await findBegun(folder, files, numbers);
  }
  const isFree = await createFreeCheck(folder, files, ifExists, begun);
  for (let number = 1; number <= maxNumber; number += 1) {
    if (begun !== null && ifExists === 'rename' && number < begun.number) continue;
    // With thousands of names, the event loop runs in between.
    if (number % 100 === 0) await yieldToEventLoop();
    if (await isFree(number)) {
      const done = begun?.number === number ? begun.done : new Set<string>();
      if (await putAll(folder, files, number, ifExists, done)) return nameOf(number);
    }
    if (ifExists !== 'rename') {
      throw new DeliveryError(
        'exists',
        `${folder.describeLocation(nameOf(1))} exists already; remove it, or set if_exists to rename or replace`,
      );
    }
  }
  throw new DeliveryError(
    'exists',
    `${folder.describeLocation(nameOf(1))} and ${maxNumber} names like it are taken; empty the folder`,
  );
}

/** A number under which an earlier attempt stored files of this delivery, but not its image. */
interface Begun {
  readonly number: number;
  readonly done: ReadonlySet<string>;
}

async function possibleNumbers(folder: RemoteFolder, names: readonly string[]): Promise<readonly number[]> {
  const image = names.at(-1) ?? '';
  const present = await folder.listNames(beginningOf(names));
  if (present !== null) return [1, ...findNumbers(image, present)];
  const numbers = [1];
  for (let number = 1; number <= maxNumber; number += 1) {
    if ((await folder.findSize(numberNames([image], number)[0] ?? image)) === null) break;
    numbers.push(number + 1);
  }
  return numbers;
}

/** The prefix of all numbered names of a delivery, including shortened ones. */
function beginningOf(names: readonly string[]): string {
  return [...(names.at(-1) ?? '').replace(/\.[^.]*$/, '')].slice(0, 30).join('');
}

async function isThere(folder: RemoteFolder, name: string, file: OutgoingFile): Promise<boolean> {
  return (await folder.findSize(name)) === file.sizeBytes && (await folder.isSame(name, file));
}

async function findBegun(
  folder: RemoteFolder,
  files: readonly OutgoingFile[],
  numbers: readonly number[],
): Promise<Begun | null> {
  if (files.length === 1) return null;
  const names = files.map(({ name }) => name);
  const first = names[0] ?? '';
  const present = await folder.listNames(beginningOf(names));
  const all = new Set([...numbers, ...(present === null ? [] : findNumbers(first, present))]);
  for (const number of [...all].sort((a, b) => a - b)) {
    const numbered = numberNames(names, number);
    const done = new Set<string>();
    for (const [index, file] of files.slice(0, -1).entries()) {
      const name = numbered[index] ?? file.name;
      if (await isThere(folder, name, file)) done.add(name);
    }
    const imageName = numbered.at(-1) ?? '';
    if (done.size > 0 && (await folder.findSize(imageName)) === null) return { number, done };
  }
  return null;
}

/**
 * Whether the names of a number are free, apart from files of this delivery. The folder is listed once, when the first number is
 * taken.
 */
async function createFreeCheck(
  folder: RemoteFolder,
  files: readonly OutgoingFile[],
  ifExists: IfExists,
  begun: Begun | null,
): Promise<(number: number) => Promise<boolean>> {
  const names = files.map(({ name }) => name);
  let known: ReadonlySet<string> | null = null;
  return async (number) => {
    if (ifExists === 'replace') return true;
    if (number === 2)
      known = new Set((await folder.listNames(beginningOf(names)))?.map((name) => name.toLowerCase()));
    for (const name of numberNames(names, number)) {
      if (begun?.number === number && begun.done.has(name)) continue;
      if (known?.has(name.toLowerCase()) || (await folder.findSize(name)) !== null) return false;
    }
    return true;
  };
}

/** Whether all files could be stored; when one could not, the files stored before it are removed. */
async function putAll(
  folder: RemoteFolder,
  files: readonly OutgoingFile[],
  number: number,
  ifExists: IfExists,
  done: ReadonlySet<string>,
): Promise<boolean> {
  const names = numberNames(
    files.map(({ name }) => name),
    number,
  );
  const put: string[] = [];
  for (const [index, file] of files.entries()) {
    const name = names[index] ?? file.name;
    if (done.has(name)) continue;
    if ((await folder.put(name, file, ifExists === 'replace')) === 'taken') {
      for (const mine of put) await folder.remove(mine);
      return false;
    }
    put.push(name);
  }
  return true;
}

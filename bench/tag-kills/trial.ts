import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { between, random } from '../kill/chance.js';
import { runUntilKilled } from '../kill/run-until-killed.js';

export interface TagKillOptions {
  /** With images alone; they are tagged and undone. */
  readonly folder: string;
  readonly rounds: number;
  /** Words of a process that tags the folder, and of one that undoes it; each prints a line an image. */
  readonly command: (mode: 'tag' | 'undo') => readonly string[];
  readonly log: (line: string) => void;
}

export interface TagKills {
  /** Each of them a broken guarantee. */
  readonly findings: readonly string[];
  /** Processes that were killed before they ended. */
  readonly kills: number;
  /** Images that had keywords when all was done. */
  readonly tagged: number;
}

const journalName = '.lynceus-tag';
/** About as long as an image takes. */
const maxDelayMs = 60;

/**
 * Kills processes that tag a folder and undo it at random moments. After each, every image has its former bytes, or other ones with
 * the same pixels; in the end those are tagged that an undisturbed command tags, undoing gives all their bytes back, and no temporary file is left.
 */
export async function killAmidTagging(options: TagKillOptions): Promise<TagKills> {
  const { folder, rounds, command, log } = options;
  const images = (await readdir(folder)).filter((name) => name !== journalName).sort();
  const former = new Map<string, { readonly hash: string; readonly pixels: string }>();
  for (const name of images) {
    const path = join(folder, name);
    former.set(name, { hash: await hashFile(path), pixels: await hashPixels(path) });
  }
  const findings: string[] = [];
  const good = new Set<string>();
  let [kills, tagged] = [0, 0];
  let mode: 'tag' | 'undo' = 'tag';

  const check = async () => {
    let changed = 0;
    for (const [name, { hash, pixels }] of former) {
      const now = await hashFile(join(folder, name)).catch(() => 'missing');
      if (now === hash) continue;
      changed += 1;
      // Images are the same after many rounds; pixels are compared once for each of their forms.
      if (good.has(now)) continue;
      const found = await hashPixels(join(folder, name)).catch((error: unknown) => String(error));
      if (found === pixels) good.add(now);
      else findings.push(`${name}: ${found} instead of ${pixels}`);
    }
    return changed;
  };

  // An image may have all keywords already, or show nothing.
  await run(command('tag'));
  const due = await check();
  if (due < images.length / 2) findings.push(`only ${due} of ${images.length} images get keywords`);
  await run(command('undo'));
  for (let round = 1; kills < rounds && round <= 5 * rounds; round += 1) {
    const afterLines = Math.floor(between(0, images.length));
    const end = await run(command(mode), afterLines);
    if (end === 'killed') kills += 1;
    const changed = await check();
    log(`${round}: ${mode} ${end} after ${afterLines} lines, ${changed} of ${images.length} images tagged`);
    if (typeof end === 'number' && end !== 0) findings.push(`${mode} ended with ${end}`);
    if (end !== 'killed' || random() < 0.3) mode = mode === 'tag' ? 'undo' : 'tag';
  }
  await run(command('tag'));
  tagged = await check();
  if (tagged !== due) findings.push(`${tagged} of ${due} images are tagged in the end`);
  await run(command('undo'));
  for (const [name, { hash }] of former) {
    if ((await hashFile(join(folder, name))) !== hash) findings.push(`${name} has not its former bytes`);
  }
  const left = (await readdir(join(folder, journalName))).filter((name) => !/^lock\.db|\.undo$/.test(name));
  if (left.length > 0) findings.push(`left behind: ${left.join(', ')}`);
  const strangers = (await readdir(folder)).filter((name) => name !== journalName && !former.has(name));
  if (strangers.length > 0) findings.push(`new files: ${strangers.join(', ')}`);
  return { findings, kills, tagged };
}

/** The process is killed shortly after it has printed so many lines; without a number, it is not. */
function run(words: readonly string[], afterLines?: number): Promise<'killed' | number> {
  return runUntilKilled(words, async (printed) => {
    let lines = 0;
    for await (const _line of printed) {
      if (lines++ !== afterLines) continue;
      await sleep(between(0, maxDelayMs));
      return true;
    }
    return false;
  });
}

async function hashFile(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

async function hashPixels(path: string): Promise<string> {
  const { data, info } = await sharp(await readFile(path), { failOn: 'error' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return `${info.width}x${info.height} ${createHash('sha256').update(data).digest('hex')}`;
}

import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandWords } from '../kill/run-until-killed.js';
import { killAmidTagging } from './trial.js';

/** Nearly every image gets keywords. */
const findSomething = ['--parts', 'classes', '--min-confidence', 'classes=0.01', '--max-keywords', '4'];

/** Kills the command while it tags copies of photographs, so often; throws where one is damaged or lost. */
export async function runTagKills({
  data,
  rounds,
  images,
}: {
  data: string;
  rounds: number;
  images: number;
}) {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-tag-kills-'));
  try {
    for (const set of ['coco/images', 'imagenet', 'raccoon/images']) {
      const names = await readdir(join(data, set)).catch(() => []);
      for (const name of names.filter((each) => /\.jpe?g$/i.test(each)).slice(0, Math.ceil(images / 3))) {
        await cp(join(data, set, name), join(folder, name));
        await chmod(join(folder, name), 0o644);
      }
    }
    const command = (mode: 'tag' | 'undo') => {
      const words = ['tag', folder, ...(mode === 'undo' ? ['--undo'] : findSomething)];
      return commandWords(words);
    };
    const log = (line: string) => console.log(line);
    const { findings, kills, tagged } = await killAmidTagging({ folder, rounds, command, log });
    if (findings.length > 0) throw new Error(`a guarantee is broken: ${findings.join('; ')}`);
    if (kills < rounds)
      throw new Error(`only ${kills} of ${rounds} kills came before the end of the command`);
    console.log(`${kills} kills: ${tagged} images tagged and undone, none damaged`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

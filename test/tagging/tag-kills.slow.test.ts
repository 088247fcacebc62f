import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { killAmidTagging } from '#bench/tag-kills/trial.js';
import { smallImages } from '../fuzz/images.js';
import { havePerl } from '../keywords/keyword-trial.js';
import { sample } from '../support/sample.js';

const program = fileURLToPath(new URL('./tagging-process.js', import.meta.url));

test.skipIf(!havePerl)(
  'killed at any moment, a command that tags or undoes a folder damages no image',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lynceus-tag-kills-'));
    try {
      const { png, webp, tiff } = await smallImages();
      for (const [name, bytes] of Object.entries({ png, webp, tiff })) {
        if (bytes) await writeFile(join(folder, `small.${name}`), bytes);
      }
      for (let index = 0; index < 9; index += 1) await writeFile(join(folder, `${index}.jpg`), sample);
      const { kills, ...trial } = await killAmidTagging({
        ...{ folder, rounds: 4, command: (mode) => [program, mode, folder], log: () => undefined },
      });
      expect(trial).toEqual({ findings: [], tagged: 12 });
      // How many of them come before the end depends on the machine.
      expect(kills).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

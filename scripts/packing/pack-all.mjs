import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmEnvironment, npmWords } from '../setup/packages.mjs';
import { root } from '../setup/prepare.mjs';
import { runQuietly } from '../setup/quiet-run.mjs';
import { nativePlatforms, stageNative } from './stage-native.mjs';
import { stageService } from './stage-service.mjs';

/**
 * Packs the service, its binaries for each platform and the client from a clone in which all is built.
 * @param to the folder of the tarballs; what it held goes
 * @returns of each tarball its name in a registry, path, bytes, and bytes of its files
 */
export async function packAll(to) {
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-pack-'));
  try {
    await rm(to, { recursive: true, force: true });
    await mkdir(to, { recursive: true });
    const folders = [
      await stageService(join(scratch, 'lynceus')),
      ...(await Promise.all(nativePlatforms.map((each) => stageNative(join(scratch, each.name), each)))),
      join(root, 'packages', 'client'),
    ];
    const packed = [];
    for (const folder of folders) packed.push(await pack(folder, to, scratch));
    return packed;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function pack(folder, to, scratch) {
  const words = ['pack', folder, '--pack-destination', to, '--json', '--ignore-scripts', '--loglevel=error'];
  const printed = await runQuietly(...npmWords(words), {
    cwd: scratch,
    env: npmEnvironment(process.env, scratch),
    failure: `npm pack failed for ${folder}`,
  });
  // npm 12 answers an object by name, older ones a list.
  const [made] = Object.values(JSON.parse(printed));
  const { name, filename, size, unpackedSize } = made;
  return { name, path: join(to, filename), bytes: size, unpackedBytes: unpackedSize };
}

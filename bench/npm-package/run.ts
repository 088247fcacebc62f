import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../table.js';
import { packProject, tarballsFor } from './pack.js';
import { installPrograms } from './programs.js';
import { tryPackage } from './try-package.js';
import { makeUser } from './user.js';

const nodeRanges = ['20', '22', '24'];
const npmRanges = ['10', '11'];

/**
 * Packs, and tries the packages with each Node.js and npm as a user who has nothing else. The first has an empty cache of npm, the
 * others what it fetched.
 * @param only such as `24`: with this Node.js alone
 */
export async function runNpmPackage({ only }: { readonly only: string | undefined }): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-npm-package-'));
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  try {
    const packed = await packProject(join(scratch, 'packed'));
    const sizes = packed.map(({ name, bytes, unpackedBytes }) => [
      name,
      megabytes(bytes),
      megabytes(unpackedBytes),
    ]);
    console.log(`${formatTable([['PACKAGE', 'TARBALL', 'UNPACKED'], ...sizes])}\n`);
    const rows = [['NODE', 'NPM', 'INSTALL', 'FIRST IMAGE', 'INSTALLED', 'PACKAGES']];
    const cache = join(scratch, 'cache');
    for (const node of nodeRanges.filter((range) => only === undefined || range === only)) {
      for (const npm of npmRanges) {
        const programs = await installPrograms(join(scratch, `node-${node}-npm-${npm}`), node, npm);
        const trial = await tryPackage(await makeUser(scratch, programs, cache), tarballsFor(packed));
        const { installSeconds, firstImageSeconds, installedBytes, packages } = trial;
        rows.push([node, npm, seconds(installSeconds), seconds(firstImageSeconds)]);
        rows.at(-1)?.push(megabytes(installedBytes), String(packages));
        console.log(rows.at(-1)?.join(', '));
      }
    }
    console.log(formatTable(rows));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../setup/prepare.mjs';
import { nativePlatforms } from './stage-native.mjs';

/** What these packages want for installing or building themselves, which nobody does here. */
const leftOut = {
  'node_modules/onnxruntime-node': ['adm-zip', 'global-agent'],
  'node_modules/ssh2': ['cpu-features', 'nan'],
  'node_modules/usearch': ['node-addon-api'],
};

/** The packages of the lock file, without what the packages for a registry neither have nor need. */
export async function lockedPackages() {
  const { readLockedPackages } = await licences();
  const packages = structuredClone(await readLockedPackages());
  for (const [path, names] of Object.entries(leftOut)) {
    for (const name of names) {
      delete packages[path].dependencies?.[name];
      delete packages[path].optionalDependencies?.[name];
    }
  }
  return Object.fromEntries(Object.entries(packages).filter(([, entry]) => runsHere(entry)));
}

/** What is in the packages or installed with them: of each package its path in the clone, name, version and licence. */
export async function listShippedHere() {
  const { listShipped } = await licences();
  return listShipped(await lockedPackages());
}

/** `npm run generate` lists the licences as well. An image is built without it. */
async function licences() {
  const compiled = join(root, 'scripts', 'generate', 'dist', 'licences.js');
  if (!existsSync(compiled)) {
    const source = join(root, 'scripts', 'generate', 'licences.ts');
    await build({ entryPoints: [source], outfile: compiled, platform: 'node', format: 'esm' });
  }
  return import(pathToFileURL(compiled).href);
}

function runsHere({ os, cpu, libc }) {
  const allows = (list, name) => !list || list.includes(name) || list.some((each) => each.startsWith('!'));
  return nativePlatforms.some(
    (each) => allows(os, each.os) && allows(cpu, each.cpu) && allows(libc, each.libc),
  );
}

import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';
import { runQuietly } from '../setup/quiet-run.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { writeLicenceTexts } from './licence-texts.mjs';
import { nameOwnCommand } from './own-command.mjs';
import { serviceManifest } from './service-manifest.mjs';
import { listShippedHere } from './shipped.mjs';

/** As they are in the clone, so that every address in the bundle means the same. */
const copied = [
  'LICENSE',
  'CHANGELOG.md',
  'scripts/installed.mjs',
  'scripts/setup/machine.mjs',
  'scripts/setup/setup-error.mjs',
  'packages/server/assets',
  'packages/engine/assets',
  'packages/engine/models',
  'packages/console/dist/page',
];

/** Files that code in the bundle reads, of packages that are in it: below `node_modules`. */
const vendored = [
  ...['package.json', 'LICENSE', 'static'].map((name) => `@fastify/swagger-ui/${name}`),
  ...['package.json', 'LICENSE'].map((name) => `ssh2/${name}`),
];

const bundle = join('packages', 'server', 'dist');

/** Writes the files of the package `lynceus`; answers its folder. */
export async function stageService(folder) {
  await mkdir(folder, { recursive: true });
  await runQuietly(process.execPath, [join(root, 'scripts', 'setup', 'bundle.mjs'), root, 'package'], {
    cwd: root,
    env: process.env,
    failure: 'The build failed',
  });
  for (const path of copied) await cp(join(root, path), join(folder, path), { recursive: true });
  await cp(join(root, bundle, 'package'), join(folder, bundle, 'bundle'), { recursive: true });
  for (const path of vendored)
    await cp(vendoredSource(path), vendoredTarget(folder, path), { recursive: true });
  await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  await rm(join(folder, 'packages/engine/models/README.md'));

  const manifest = await serviceManifest();
  await writeJson(join(folder, 'package.json'), manifest);
  // The service reads its version there.
  await writeJson(join(folder, 'packages/server/package.json'), {
    ...{ name: '@lynceus/server', version: manifest.version, private: true, type: 'module' },
  });
  const shipped = await listShippedHere();
  await writeLicenceTexts(join(folder, 'THIRD-PARTY-LICENCES.txt'), shipped);
  await writeBillOfMaterials(join(folder, 'sbom.cdx.json'));
  await nameOwnCommand(await filesBelow(folder, ['packages/server/dist', 'packages/console/dist']));
  return folder;
}

/** npm puts a package beside the server where another version of it is at the root. */
function vendoredSource(path) {
  return join(root, 'node_modules', path);
}

const vendoredTarget = (folder, path) => join(folder, 'packages/server/vendor', path);

const writeJson = (path, value) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`);

async function filesBelow(folder, within) {
  const lists = await Promise.all(
    within.map(async (each) => {
      const found = await readdir(join(folder, each), { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return lists.flat();
}

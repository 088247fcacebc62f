import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';
import { readManifest } from './read-manifest.mjs';
import { nativePlatforms } from './stage-native.mjs';

/** What is not in the bundle: packages with native code, under the LGPL, or of files alone; each with where its version is. */
const installed = [
  ['@node-rs/argon2', 'packages/server'],
  ['dejavu-fonts-ttf', 'packages/engine'],
  ['exiftool-vendored.pl', 'node_modules/exiftool-vendored'],
  ['libheif-js', 'packages/engine'],
  ['libsql', 'packages/server'],
  ['sharp', 'packages/engine'],
];

/** The package.json of the package `lynceus`. */
export async function serviceManifest() {
  const product = await readManifest(join(root, 'package.json'));
  const { name, version, description, license, type, engines } = product;
  const dependencies = {};
  for (const [wanted, from] of installed) {
    const { dependencies: own, optionalDependencies } = await readManifest(join(root, from, 'package.json'));
    const found = { ...own, ...optionalDependencies }[wanted];
    if (!/^\d/.test(found ?? '')) throw new Error(`${from} names no version of ${wanted}`);
    dependencies[wanted] = found;
  }
  return {
    ...{ name, version, description, license, ...product.repository },
    keywords: ['image recognition', 'object detection', 'face recognition', 'ocr', 'self-hosted', 'onnx'],
    ...{ type, engines },
    os: [...new Set(nativePlatforms.map(({ os }) => os))],
    cpu: nativePlatforms.map(({ cpu }) => cpu),
    libc: [...new Set(nativePlatforms.map(({ libc }) => libc))],
    bin: { lynceus: 'scripts/installed.mjs' },
    exports: { './package.json': './package.json' },
    files: ['scripts', 'packages', 'CHANGELOG.md', 'THIRD-PARTY-LICENCES.txt', 'sbom.cdx.json'],
    dependencies,
    optionalDependencies: Object.fromEntries(nativePlatforms.map(({ name: each }) => [each, version])),
    publishConfig: { access: 'public' },
  };
}

import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';
import { readManifest } from './read-manifest.mjs';

/** Where the service runs: names as Node.js and npm have them. */
export const nativePlatforms = ['x64', 'arm64'].map((cpu) => ({
  ...{ name: `@lynceus/native-linux-${cpu}`, os: 'linux', cpu, libc: 'glibc' },
}));

/** What is copied for a platform: from where in `node_modules`, or beside this file, and its name in the package. */
function filesOf({ os, cpu }) {
  const modules = join(root, 'node_modules');
  const runtime = join(modules, 'onnxruntime-node', 'bin', 'napi-v6', os, cpu);
  const notices = join(import.meta.dirname, 'onnxruntime');
  return [
    [join(runtime, 'onnxruntime_binding.node'), 'onnxruntime_binding.node'],
    [join(runtime, 'libonnxruntime.so.1'), 'libonnxruntime.so.1'],
    [join(modules, 'usearch', 'prebuilds', `${os}-${cpu}`, 'usearch.node'), 'usearch.node'],
    [join(notices, 'LICENSE'), 'LICENSE.onnxruntime'],
    [join(notices, 'ThirdPartyNotices.txt'), 'ThirdPartyNotices.onnxruntime.txt'],
    [join(modules, 'usearch', 'LICENSE'), 'LICENSE.usearch'],
  ];
}

/** Writes the package with the binaries of one platform; answers its folder. */
export async function stageNative(folder, platform) {
  const [product, runtime, search] = await Promise.all(
    ['package.json', 'node_modules/onnxruntime-node/package.json', 'node_modules/usearch/package.json'].map(
      (path) => readManifest(join(root, path)),
    ),
  );
  await mkdir(folder, { recursive: true });
  const files = filesOf(platform);
  for (const [from, name] of files) {
    await cp(from, join(folder, name));
    await chmod(join(folder, name), 0o644);
  }
  const { name, os, cpu, libc } = platform;
  const contents = `ONNX Runtime ${runtime.version} and USearch ${search.version} for ${os} ${cpu}`;
  const manifest = {
    name,
    version: product.version,
    description: `${contents}, for Lynceus`,
    license: 'MIT AND Apache-2.0',
    ...product.repository,
    os: [os],
    cpu: [cpu],
    libc: [libc],
    files: files.map(([, file]) => file),
    publishConfig: { access: 'public' },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, 'README.md'), readme(name, contents));
  return folder;
}

const readme = (name, contents) => `# ${name}

${contents}, unchanged: binaries that the package \`lynceus\` installs where they run. It has nothing to use by itself.

ONNX Runtime is under the MIT licence (\`LICENSE.onnxruntime\`, and \`ThirdPartyNotices.onnxruntime.txt\` for what it is made of), USearch under
Apache-2.0 (\`LICENSE.usearch\`).
`;

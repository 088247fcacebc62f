import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { forgetBuilds } from './build-stamps.mjs';
import { forPackage, inClone } from './bundle-places.mjs';
import { smallUndici } from './small-undici.mjs';

// node bundle.mjs ROOT [package]: bundles the sources of the service with the packages in JavaScript that they use. A few files load in a
// fraction of the time of 2,500 modules. A program of its own: a fresh clone has to install esbuild first.

const [rootFolder = '.', form = 'clone'] = process.argv.slice(2);
const root = resolve(rootFolder);
const places = form === 'package' ? forPackage : inClone;
const outDir = join(root, 'packages', 'server', 'dist', places.folder);

/** Of these the code is bundled, and finds the files of its own folder where `places` has them. */
const readOwnFolder = ['@fastify/swagger-ui', 'ssh2'];

const sources = ['engine', 'server']
  .flatMap((name) => filesBelow(join(root, 'packages', name, 'src')))
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/fixtures\//.test(path));
const textOf = (path) => readFileSync(path, 'utf8');
const withAddresses = sources.filter((path) => textOf(path).includes('import.meta.url'));
const relativeAddress = /new URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g;

/** Each runs in a process or thread of its own, or is imported by a program: file name in the bundle, source. */
const entries = new Map([
  ['lynceus', join(root, 'packages/server/src/cli/main.ts')],
  ...places.entries.map(([name, source]) => [name, join(root, source)]),
  ...withAddresses
    .flatMap((path) =>
      [...textOf(path).matchAll(relativeAddress)].map(([, address]) => entryAt(path, address)),
    )
    .filter((source) => source !== undefined)
    .map((source) => [nameOf(source), source]),
]);

const traces = join(root, 'packages/engine/src/source-traces.ts');

/** What programs call of an entry. */
const exported = new Map([
  ['lynceus', 'runCommandLine'],
  ['installed', 'runInstalled'],
]);

if (form === 'clone') forgetBuilds(root);

const built = build({
  absWorkingDir: root,
  entryPoints: [...entries.keys()].map((name) => ({ in: `entry:${name}`, out: name })),
  outdir: outDir,
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  // Packages in CommonJS require the modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  external: places.external,
  alias: {
    '@lynceus/engine/archive': join(root, 'packages/engine/src/archive/open-zip.ts'),
    '@lynceus/engine/child-process': join(root, 'packages/engine/src/child-process/end-with-parent.ts'),
    '@lynceus/engine/onnx': join(root, 'packages/engine/src/onnx/index.ts'),
    '@lynceus/engine/yaml': join(root, 'packages/engine/src/read-yaml.ts'),
    '@lynceus/engine': join(root, 'packages/engine/src/index.ts'),
  },
  plugins: [
    { name: 'entries', setup: addEntries },
    { name: 'addresses', setup: rewriteAddresses },
    { name: 'own-folders', setup: nameOwnFolders },
    smallUndici,
    ...places.plugins,
  ],
  metafile: true,
  logLevel: 'warning',
});

try {
  const { metafile } = await built;
  const written = new Set(Object.keys(metafile.outputs).map((path) => join(root, path)));
  for (const path of filesBelow(outDir)) if (!written.has(path) && isOld(path)) rmSync(path);
} catch (error) {
  // What is wrong with the sources, and where, esbuild has printed.
  if (!error.errors?.length) throw error;
  process.exitCode = 1;
}

/** A service that runs from an earlier bundle loads some of its files when they are first needed; none runs from that of a package. */
function isOld(path) {
  if (places === forPackage) return true;
  const weekMs = 7 * 24 * 3_600_000;
  return Date.now() - statSync(path).mtimeMs > weekMs;
}

/** Errors that are thrown while the rest is loaded name their sources too. */
function addEntries({ onResolve, onLoad }) {
  onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }));
  onLoad({ filter: /.*/, namespace: 'entry' }, ({ path: name }) => {
    const load = `await import(${JSON.stringify(entries.get(name))});`;
    return {
      contents: `import { nameSourcesInTraces } from ${JSON.stringify(traces)};\nnameSourcesInTraces();\n${exported.has(name) ? `export const { ${exported.get(name)} } = ` : ''}${load}`,
      resolveDir: root,
    };
  });
}

/** An address relative to a source becomes one relative to the bundle, whose files all lie in one folder. */
function rewriteAddresses({ onLoad }) {
  if (withAddresses.length === 0) return;
  const names = withAddresses.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  onLoad({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path }) => {
    const contents = textOf(path).replace(relativeAddress, (_, address) => {
      const entry = entryAt(path, address);
      const target = entry ? `./${nameOf(entry)}.mjs` : assetAt(path, address);
      return `new URL('${target}', import.meta.url)`;
    });
    // Packages are found from every folder of the server; anything else would be looked for in the wrong place.
    const others = contents.replace(/(new URL\('[^']*', |createRequire\()import\.meta\.url\)/g, '');
    if (!others.includes('import.meta.url')) return { contents, loader: 'ts' };
    return { errors: [{ text: `import.meta.url in a form that the bundle cannot rewrite: ${path}` }] };
  });
}

function nameOwnFolders({ onLoad }) {
  for (const name of readOwnFolder) {
    onLoad({ filter: new RegExp(`/node_modules/${name}/[^@]+\\.js$`) }, ({ path }) => {
      const file = path.slice(path.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length);
      const folder = `require('node:path').join(${places.manifestOf(name)}, '..', '${dirname(file)}')`;
      return { contents: textOf(path).replaceAll('__dirname', folder), loader: 'js' };
    });
  }
}

function entryAt(path, address) {
  const source = join(dirname(path), address).replace(/\.js$/, '.ts');
  return address.endsWith('.js') && sources.includes(source) ? source : undefined;
}

/** Compiled files lie as deep as their sources, so an address means the same from both. */
function assetAt(path, address) {
  const found = relative(outDir, join(dirname(path), address));
  return address.endsWith('/') ? `${found}/` : found;
}

function nameOf(source) {
  const path = relative(join(root, 'packages'), source);
  return path.replace('/src/', '/').replace(/\.ts$/, '').replaceAll('/', '-');
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

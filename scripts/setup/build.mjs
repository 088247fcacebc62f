import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { callsPath, documentPath, generatedFolder, writeClient } from '../client/write-client.mjs';
import { stampOf } from './build-stamps.mjs';
import { runQuietly } from './quiet-run.mjs';

/** The page: vite makes of it what browsers load. */
const consoleFolder = 'packages/console';
const builtConsole = join(consoleFolder, 'dist', 'page', 'index.html');

/** The service and its command line: esbuild makes a few files of them, which load in a fraction of the time. */
const bundleFolder = join('packages', 'server', 'dist', 'bundle');

/** Each with the folder of the sources within its own. */
const bundledProjects = [
  { folder: 'packages/engine', source: 'src' },
  { folder: 'packages/server', source: 'src' },
];
const projects = {
  product: [
    ...bundledProjects,
    { folder: 'packages/client', source: 'src' },
    { folder: consoleFolder, source: 'src' },
  ],
  checks: [
    { folder: 'test', source: '.' },
    { folder: 'bench', source: '.' },
    { folder: 'scripts/generate', source: '.' },
  ],
};

/**
 * `product` is what serves: the bundle and the page. `all` also compiles every source to a file of its own, which the tests
 * import and which are the end-to-end tests and benchmarks.
 */
const scopes = { product: projects.product, all: [...projects.product, ...projects.checks] };

/**
 * Whether what is built was built from these sources. Judged by their content: a clone without git, a copied folder and
 * a touched file are all recognised.
 */
export function buildIsFresh(root, scope) {
  return isStamped(root, stampOf(root, scope), () => stateOf(root, scope));
}

/** A stamp has the state of the sources, and below it the files without which it would all have to be built again. */
function isStamped(root, stamp, state) {
  try {
    const [stamped, ...files] = readFileSync(stamp, 'utf8').trimEnd().split('\n');
    return stamped === state() && files.every((path) => existsSync(join(root, path)));
  } catch {
    return false;
  }
}

const writeStamp = (stamp, state, files) => writeFileSync(stamp, [state, ...files, ''].join('\n'));

/**
 * Only `all` checks the types: to start, nobody needs that, and it takes far longer than the rest.
 * @param whenBundled work that needs the command line, done while the page is built
 */
export async function build(root, scope, { whenBundled = () => undefined } = {}) {
  const built = scope === 'all' ? ['product', 'all'] : ['product'];
  const states = built.map((name) => [name, stateOf(root, name)]);
  await writeClient(root);
  const ends = await Promise.allSettled([
    buildBundle(root).then(whenBundled),
    buildConsole(root),
    ...(scope === 'all' ? [compile(root)] : []),
  ]);
  for (const { status, reason } of ends) if (status === 'rejected') throw reason;
  for (const [name, state] of states) writeStamp(stampOf(root, name), state, outputOf(root, name));
}

function outputOf(root, scope) {
  const product = [builtConsole, ...bundledFiles(root)];
  if (scope === 'product') return product;
  const compiled = scopes.all
    .filter(({ folder }) => folder !== consoleFolder)
    .flatMap((project) =>
      sourcesOf(root, project)
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
        .map((name) => join(project.folder, 'dist', name.replace(/\.ts$/, '.js'))),
    );
  return [...product, ...compiled];
}

const bundledFiles = (root) => filesBelow(join(root, bundleFolder), []).map((path) => relative(root, path));

/** Also of its own stamp: tests of the whole start the bundle, however their files were compiled. */
export async function buildBundle(root) {
  const state = stateOfSources(root, bundledProjects, isTest);
  const stamp = stampOf(root, 'bundle');
  if (isStamped(root, stamp, () => state)) return;
  await runQuietly(process.execPath, [join(root, 'scripts', 'setup', 'bundle.mjs'), root], {
    cwd: root,
    env: process.env,
    failure: 'The build failed',
  });
  writeStamp(stamp, state, bundledFiles(root));
}

async function compile(root) {
  for (const project of scopes.all) {
    // Of the page, only what vite makes is used, and vite begins with an empty folder.
    if (project.folder !== consoleFolder) removeOrphans(root, project);
  }
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  // By default four check each project side by side, and each of them what all use: half as much again of CPU time, and longer on two cores.
  await runQuietly(
    process.execPath,
    [tsc, '-b', '--checkers', '1', ...scopes.all.map(({ folder }) => folder)],
    {
      cwd: root,
      env: process.env,
      failure: 'The build failed',
    },
  );
}

/** It takes longer than all else, so the page has a stamp of its own. */
async function buildConsole(root) {
  const state = stateOfConsole(root);
  const stamp = join(root, consoleFolder, 'dist', '.build-stamp');
  if (existsSync(join(root, builtConsole)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === state)
    return;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await runQuietly(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, consoleFolder),
    env: process.env,
    failure: 'The build of the web account failed',
  });
  writeFileSync(stamp, state);
}

function stateOf(root, scope) {
  const sources = stateOfSources(root, scopes[scope], scope === 'all' ? () => false : isTest);
  return createHash('sha256').update(sources).update(stateOfConsole(root)).digest('hex');
}

function stateOfSources(root, of, isLeftOut) {
  const hash = createHash('sha256');
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  const bundling = ['bundle', 'bundle-places', 'small-undici'].map((name) => `scripts/setup/${name}.mjs`);
  for (const path of ['tsconfig.base.json', 'package-lock.json', ...bundling]) add(path);
  for (const project of of) {
    add(join(project.folder, 'tsconfig.json'));
    const names = sourcesOf(root, project).filter((name) => !isLeftOut(name));
    const paths = names.map((name) => join(project.folder, project.source, name));
    for (const path of paths) if (!isGenerated(path)) add(path);
  }
  return hash.digest('hex');
}

/** What the client is made of; a part of it is generated from the others. */
const clientSources = [join('packages', 'client', 'src'), join('scripts', 'client'), callsPath, documentPath];
const isGenerated = (path) => path.startsWith(generatedFolder);

/** Of all that the page is made of: its folder, the client, the limits of the API in its document, the documents that it shows. */
function stateOfConsole(root) {
  const hash = createHash('sha256');
  const parts = [consoleFolder, ...clientSources, 'docs', 'package-lock.json'];
  for (const part of parts) {
    for (const path of filesIn(join(root, part))) {
      if (isGenerated(relative(root, path))) continue;
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

const filesIn = (path) =>
  statSync(path).isDirectory() ? filesBelow(path, ['node_modules', 'dist']).sort() : [path];

function sourcesOf(root, { folder, source }) {
  const from = join(root, folder, source);
  return filesBelow(from, ['node_modules', 'dist'])
    .map((path) => relative(from, path))
    .filter((name) => /\.(ts|tsx|json)$/.test(name))
    .sort();
}

/** Of the server and the engine; none is in the bundle. */
const isTest = (name) => /\.test\.tsx?$|(^|\/)fixtures\//.test(name);

/** The compiler leaves the output of deleted sources lying, and a test among them would go on running. */
function removeOrphans(root, project) {
  const dist = join(root, project.folder, 'dist');
  if (!existsSync(dist)) return;
  const sources = new Set(sourcesOf(root, project).map((name) => name.replace(/\.(ts|tsx|json)$/, '')));
  for (const path of filesBelow(dist, [])) {
    const name = relative(dist, path);
    const compiled = /\.(d\.ts|d\.ts\.map|js|js\.map)$/;
    if (compiled.test(name) && !sources.has(name.replace(compiled, ''))) rmSync(path, { force: true });
  }
}

function filesBelow(folder, skipped) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((found) => {
    const path = join(folder, found.name);
    if (found.isDirectory()) return skipped.includes(found.name) ? [] : filesBelow(path, skipped);
    return [path];
  });
}

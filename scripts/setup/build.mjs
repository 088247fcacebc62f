import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runQuietly } from './quiet-run.mjs';

/** The page: vite makes of it what browsers load. */
const consoleFolder = 'packages/console';
const clientFolder = 'packages/client';
const builtConsole = join(consoleFolder, 'dist', 'page', 'index.html');

/** What is compiled: folder of the sources, folder of the output. */
const projects = {
  product: [
    { folder: 'packages/engine', source: 'src' },
    { folder: 'packages/server', source: 'src' },
    { folder: clientFolder, source: 'src' },
    { folder: consoleFolder, source: 'src' },
  ],
  checks: [
    { folder: 'test', source: '.' },
    { folder: 'bench', source: '.' },
  ],
};

/** `product` is what serves; `all` has the end-to-end tests and benchmarks as well. */
const scopes = { product: projects.product, all: [...projects.product, ...projects.checks] };

/**
 * Whether what is compiled was compiled from these sources. Judged by their content: a clone without git, a copied
 * folder and a touched file are all told right.
 */
export function buildIsFresh(root, scope) {
  try {
    if (readFileSync(stampOf(root, scope), 'utf8') !== stateOf(root, scope)) return false;
  } catch {
    return false;
  }
  if (!existsSync(join(root, builtConsole))) return false;
  return scopes[scope].every((project) =>
    sourcesOf(root, project)
      .filter((name) => isCompiled(name) && project.folder !== consoleFolder)
      .every((name) => existsSync(join(root, project.folder, 'dist', name.replace(/\.ts$/, '.js')))),
  );
}

/**
 * `product` is compiled file by file, in a fifth of the time: to start, nobody needs the types checked. The JavaScript is the
 * same to the byte as that of `all`, which checks them.
 */
export async function build(root, scope) {
  const folders = scopes[scope].map(({ folder }) => folder);
  for (const project of scopes[scope]) {
    // Of the page, only what vite makes is used, and vite begins with an empty folder.
    if (project.folder !== consoleFolder) removeOrphans(root, project);
  }
  const states = Object.keys(scopes)
    .filter((name) => name === scope || scope === 'all')
    .map((name) => [name, stateOf(root, name)]);
  const compile = scope === 'all' ? compileAndCheck : compileAlone;
  // The page is bundled with the compiled client, beside everything else.
  await compile(root, [clientFolder]);
  const ends = await Promise.allSettled([
    compile(
      root,
      folders.filter((folder) => folder !== clientFolder),
    ),
    buildConsole(root),
  ]);
  for (const { status, reason } of ends) if (status === 'rejected') throw reason;
  for (const [name, state] of states) writeFileSync(stampOf(root, name), state);
}

const compileAndCheck = (root, folders) => runCompiler(root, ['-b', ...folders]);

async function compileAlone(root, folders) {
  for (const folder of folders) {
    if (folder !== consoleFolder) await runCompiler(root, ['-p', folder, ...alone]);
  }
}

/** Each file by itself: none is looked up in another, no type checked, nothing written but JavaScript. */
const alone = [
  ...['--noCheck', '--noResolve', '--declaration', 'false'],
  ...['--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'],
];

function runCompiler(root, words) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return runQuietly(process.execPath, [tsc, ...words], {
    cwd: root,
    env: process.env,
    failure: 'The build failed',
  });
}

/** Bundling takes as long as compiling all else, so the page has a stamp of its own. */
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

const stampOf = (root, scope) => join(root, 'packages', 'server', 'dist', `.build-stamp-${scope}`);

function stateOf(root, scope) {
  const hash = createHash('sha256');
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  for (const path of ['tsconfig.base.json', 'tsconfig.json', 'package-lock.json']) add(path);
  hash.update(stateOfConsole(root));
  for (const project of scopes[scope]) {
    add(join(project.folder, 'tsconfig.json'));
    for (const name of sourcesOf(root, project)) add(join(project.folder, project.source, name));
  }
  return `${hash.digest('hex')}\n`;
}

/** Of all that the page is made of: its folder, the client that it calls the service with, the documents that it shows. */
function stateOfConsole(root) {
  const hash = createHash('sha256');
  const parts = [consoleFolder, join('packages', 'client', 'src'), 'docs', 'package-lock.json'];
  for (const part of parts) {
    for (const path of filesIn(join(root, part))) {
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0');
    }
  }
  return `${hash.digest('hex')}\n`;
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

const isCompiled = (name) => name.endsWith('.ts') && !name.endsWith('.d.ts');

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

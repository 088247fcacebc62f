import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { rulesFor }: { rulesFor: (sources: string) => IForbiddenRuleType[] } = createRequire(import.meta.url)(
  join(root, '.dependency-cruiser.cjs'),
);

/** Each line breaks the rule that it names: the file that imports, and what it imports. */
const counterExamples: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['engine-knows-no-server', 'engine/src/tasks/a.ts', 'server/src/storage/b.ts'],
  ['image-stands-alone', 'engine/src/image/a.ts', 'engine/src/tasks/b.ts'],
  ['onnx-stands-alone', 'engine/src/onnx/a.ts', 'engine/src/catalog/b.ts'],
  ['tasks-know-images-and-manifests', 'engine/src/tasks/a.ts', 'engine/src/catalog/catalog.ts'],
  ['tasks-know-images-and-manifests', 'engine/src/tasks/a.ts', 'engine/src/runtime/b.ts'],
  ['catalog-runs-nothing', 'engine/src/catalog/a.ts', 'engine/src/runtime/b.ts'],
  ['server-uses-the-public-engine', 'server/src/recognition/a.ts', 'engine/src/tasks/b.ts'],
  ['no-adapter-imports-another', 'server/src/wire/v1/a.ts', 'server/src/wire/v2/b.ts'],
  ['no-adapter-imports-another', 'server/src/drops/ftp/a.ts', 'server/src/http/api/b.ts'],
  ['no-adapter-imports-another', 'server/src/http/api/a.ts', 'server/src/wire/v1/b.ts'],
  ['api-knows-no-quirks', 'server/src/http/api/a.ts', 'server/src/wire/json.ts'],
  ['api-knows-no-quirks', 'server/src/training/models/routes/a.ts', 'server/src/wire/v1/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/accounts/a.ts', 'server/src/http/api/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/recognition/a.ts', 'server/src/wire/v1/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/accounts/a.ts', 'server/src/wire/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/drops/pipeline/a.ts', 'server/src/http/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/faces/a.ts', 'server/src/faces/routes/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/streams/videos/a.ts', 'server/src/streams/videos/routes/b.ts'],
  ['ground-floor-knows-no-one-above', 'server/src/storage/a.ts', 'server/src/accounts/b.ts'],
  ['ground-floor-knows-no-one-above', 'server/src/service/jobs/a.ts', 'server/src/wire/v2/b.ts'],
  ['tracking-stands-alone', 'server/src/streams/tracking/a.ts', 'server/src/recognition/b.ts'],
  ['only-commands-start-the-service', 'server/src/http/a.ts', 'server/src/main.ts'],
  ['client-imports-nothing', 'client/src/a.ts', 'server/src/http/api/b.ts'],
  ['client-imports-nothing', 'client/src/a.ts', 'engine/src/image/b.ts'],
  ['nobody-needs-the-client', 'server/src/http/a.ts', 'client/src/b.ts'],
  ['the-page-knows-the-client-alone', 'console/src/keys/a.ts', 'server/src/http/api/b.ts'],
  ['nobody-needs-the-page', 'server/src/http/a.ts', 'console/src/keys/b.ts'],
  ['no-cycles', 'engine/src/tasks/a.ts', 'engine/src/tasks/a.ts'],
];

async function violations(baseDir: string, sources: string): Promise<string[]> {
  const { summary } = await cruiseSources(baseDir, sources);
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`);
}

async function cruiseSources(baseDir: string, sources: string): Promise<ICruiseResult> {
  const { output } = await cruise([baseDir === root ? 'packages' : '.'], {
    baseDir,
    ruleSet: { forbidden: rulesFor(sources) },
    validate: true,
    // Imports of types count: they tie two folders together as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Tests may import what they like, and nothing imports them.
    exclude: { path: '/dist/|node_modules|\\.test\\.ts$' },
  });
  if (typeof output === 'string') throw new Error(output);
  if (output.summary.totalCruised === 0) throw new Error(`nothing was found in ${sources}`);
  return output;
}

/** A folder of the first level below `src`; those of `http` each, and each file beside them. */
function folderOf(path: string): string | null {
  const [, pack, inSource] = /^packages\/(engine|server|console)\/src\/(.*)$/.exec(path) ?? [];
  if (pack === undefined || inSource === undefined || /\.test\.|\/fixtures\//.test(path)) return null;
  const [first, second] = inSource.split('/');
  return first === 'http' && inSource.split('/').length > 2 ? `${pack}/http/${second}` : `${pack}/${first}`;
}

/** Folders that import each other, directly or through others, with one import for each edge. */
function folderCycles({ modules }: ICruiseResult): string[] {
  const edges = new Map<string, Map<string, string>>();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [folderOf(source), folderOf(resolved)];
      if (from === null || to === null || from === to) continue;
      const known = edges.get(from) ?? new Map<string, string>();
      edges.set(from, known.set(to, `${source} imports ${resolved}`));
    }
  }
  const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
    [...(edges.get(from)?.keys() ?? [])].some((next) => {
      if (next === wanted) return true;
      if (seen.has(next)) return false;
      return reaches(next, wanted, seen.add(next));
    });
  return [...edges].flatMap(([from, known]) =>
    [...known].filter(([to]) => reaches(to, from)).map(([, example]) => example),
  );
}

let cruised: Promise<ICruiseResult>;
beforeAll(() => {
  cruised = cruiseSources(root, 'packages');
});

test('the sources keep to the rules of imports', async () => {
  const { summary } = await cruised;
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`)).toEqual([]);
}, 900_000);

test('no two folders import each other', async () => {
  expect(folderCycles(await cruised)).toEqual([]);
}, 900_000);

describe('each rule is broken by its counter-example', () => {
  let folder: string;
  let found: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lynceus-imports-'));
    for (const [index, [, from, to]] of counterExamples.entries()) {
      const write = async (path: string, content: string) => {
        const whole = join(folder, `case-${index}`, path);
        await mkdir(dirname(whole), { recursive: true });
        await writeFile(whole, content);
      };
      const up = '../'.repeat(dirname(from).split('/').length);
      await write(to, 'export const b = 1;\n');
      await write(from, `export { b } from '${up}${to.replace(/\.ts$/, '.js')}';\n`);
    }
    found = await violations(folder, 'case-\\d+');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(counterExamples.map((each, index) => [...each, index] as const))(
    '%s: %s may not import %s',
    (rule, from, _to, index) => {
      expect(found.filter((line) => line.startsWith(`${rule}: case-${index}/${from}`))).not.toEqual([]);
    },
  );
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser';
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
  ['no-adapter-imports-another', 'server/src/http/v1/a.ts', 'server/src/http/v2/b.ts'],
  ['no-adapter-imports-another', 'server/src/ftp/a.ts', 'server/src/http/api/b.ts'],
  ['no-adapter-imports-another', 'server/src/http/api/a.ts', 'server/src/http/v1/b.ts'],
  ['api-knows-no-quirks', 'server/src/http/api/a.ts', 'server/src/http/wire/json.ts'],
  ['no-domain-imports-an-adapter', 'server/src/accounts/a.ts', 'server/src/http/api/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/recognition/a.ts', 'server/src/http/v1/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/accounts/a.ts', 'server/src/http/wire/b.ts'],
  ['no-domain-imports-an-adapter', 'server/src/drops/pipeline/a.ts', 'server/src/http/b.ts'],
  ['ground-floor-knows-no-one-above', 'server/src/storage/a.ts', 'server/src/accounts/b.ts'],
  ['ground-floor-knows-no-one-above', 'server/src/jobs/a.ts', 'server/src/http/v2/b.ts'],
  ['only-commands-start-the-service', 'server/src/http/a.ts', 'server/src/main.ts'],
  ['client-imports-nothing', 'client/src/a.ts', 'server/src/http/api/b.ts'],
  ['client-imports-nothing', 'client/src/a.ts', 'engine/src/image/b.ts'],
  ['nobody-needs-the-client', 'server/src/http/a.ts', 'client/src/b.ts'],
  ['the-page-knows-the-client-alone', 'console/src/keys/a.ts', 'server/src/http/api/b.ts'],
  ['nobody-needs-the-page', 'server/src/http/a.ts', 'console/src/keys/b.ts'],
  ['no-cycles', 'engine/src/tasks/a.ts', 'engine/src/tasks/a.ts'],
];

async function violations(baseDir: string, sources: string): Promise<string[]> {
  const { output } = await cruise([sources], {
    baseDir,
    ruleSet: { forbidden: rulesFor(sources) },
    validate: true,
    // Imports of types count: they tie two folders together as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|node_modules' },
  });
  if (typeof output === 'string') throw new Error(output);
  if (output.summary.totalCruised === 0) throw new Error(`nothing was found in ${sources}`);
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`);
}

test('the sources keep to the map of the house', async () => {
  expect(await violations(root, 'packages')).toEqual([]);
}, 900_000);

describe('each rule is broken by its counter-example', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(root, 'node_modules', '.imports-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(counterExamples)('%s: %s may not import %s', async (rule, from, to) => {
    const baseDir = await mkdtemp(join(folder, 'case-'));
    const write = async (path: string, content: string) => {
      await mkdir(dirname(join(baseDir, 'packages', path)), { recursive: true });
      await writeFile(join(baseDir, 'packages', path), content);
    };
    const depth = dirname(from).split('/').length;
    await write(to, 'export const b = 1;\n');
    await write(from, `export { b } from '${'../'.repeat(depth)}${to.replace(/\.ts$/, '.js')}';\n`);
    expect((await violations(baseDir, 'packages')).map((line) => line.split(':')[0])).toContain(rule);
  });
});

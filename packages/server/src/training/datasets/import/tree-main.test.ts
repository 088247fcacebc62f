import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const bundle = fileURLToPath(new URL('../../../bundle/', import.meta.url));

/** What a file of the bundle loads when it starts: texts of these files by name, and the packages that they import. */
function loadedBy(entry: string): {
  readonly texts: readonly string[];
  readonly packages: readonly string[];
} {
  const texts = new Map<string, string>();
  const packages = new Set<string>();
  const follow = (name: string): void => {
    if (texts.has(name)) return;
    const text = readFileSync(join(bundle, name), 'utf8');
    texts.set(name, text);
    const imports = text.matchAll(/^(?:import|export)\b[^;"]*"([^"]+)";|^await import\("([^"]+)"\)/gm);
    for (const [, imported = '', awaited = ''] of imports) {
      const from = imported || awaited;
      if (from.startsWith('./')) follow(from.slice(2));
      else packages.add(from);
    }
  };
  follow(entry);
  return { texts: [...texts.values()], packages: [...packages] };
}

// Each import of a dataset starts this process: with all of the engine it took twice the processor time.
test('the process that reads a dataset loads no pixels, no schemas and no model formats', () => {
  const { texts, packages } = loadedBy('server-training-datasets-import-tree-main.mjs');
  expect(
    texts.some((text) => text.includes('// packages/server/src/training/datasets/import/tree-main.ts')),
  ).toBe(true);
  expect(packages).not.toContain('sharp');
  const unneeded = ['typebox', 'undici', 'protobufjs'].filter((name) =>
    texts.some((text) => text.includes(`// node_modules/${name}/`)),
  );
  expect(unneeded).toEqual([]);
});

import { expect, test } from 'vitest';
import { requireModels } from './models.js';

const ids = ['a', 'b'];
const modelsOf = (...states: readonly ('ok' | 'missing' | 'damaged')[]) => ({
  installed: (id: string) => ({ id, version: '1', dir: `/models/${id}` }),
  check: async () =>
    ids.map((id, at) => ({
      id,
      state: states[at] ?? 'ok',
      problems: states[at] === 'damaged' ? ['manifest.json is damaged'] : [],
    })),
});

test('the needed models are those to load, in their order', async () => {
  const refs = await requireModels(ids, modelsOf('ok', 'ok'), '/models');
  expect(refs.map(({ dir }) => dir)).toEqual(['/models/a', '/models/b']);
});

test('a missing model stops the start with the command that installs it', async () => {
  await expect(requireModels(ids, modelsOf('ok', 'missing'), '/models')).rejects.toThrow(
    /^Not installed in \/models: b\. Install with: .* models install/,
  );
});

test('a damaged model stops the start with what is wrong and the command that repairs it', async () => {
  await expect(requireModels(ids, modelsOf('damaged', 'ok'), '/models')).rejects.toThrow(
    'Damaged in /models: a (manifest.json is damaged). Repair with: npm run -s lynceus -- models install --repair a',
  );
});

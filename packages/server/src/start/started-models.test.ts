import { expect, test } from 'vitest';
import { loadSettings } from '../core/load-settings.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import type { InstalledModels } from './models.js';
import { createModelsComponent, modelsOfStart } from './started-models.js';

type Listed = ReturnType<InstalledModels['list']>[number];

/** A folder of models, in which a test changes what is installed. */
function folderOf(installed: Map<string, string>) {
  const refOf = (id: string) => {
    const version = installed.get(id);
    return version === undefined ? undefined : { id, version, dir: `/models/${id}/${version}` };
  };
  const describeModel = (id: string, modelId?: number) =>
    ({
      entry: { id, title: id, family: 'detector', ...(modelId && { modelId }) },
      manifest: { version: 'v1' },
    }) as unknown as Listed;
  const models = [describeModel('coco-ssd'), describeModel('bears', 301), describeModel('foxes', 302)];
  return {
    installed: refOf,
    list: () => models.map((model) => ({ ...model, installed: refOf(model.entry.id) })),
  } satisfies InstalledModels;
}

const { settings } = loadSettings({ env: { LYNCEUS_DEFAULT_DETECTOR: '301' }, cwd: '/' });
function start(installed: Map<string, string>) {
  const models = modelsOfStart(folderOf(installed));
  const builtin = createBuiltinModels(models.list(), settings);
  return { models, component: createModelsComponent(models, builtin, settings) };
}

test('an added model that is another version than at the start is missing until the next start', () => {
  const installed = new Map([['bears', 'v1']]);
  const { models } = start(installed);
  expect(models.installed('bears')?.version).toBe('v1');
  installed.set('bears', 'v2');
  expect([models.installed('bears'), models.list()[1]?.installed]).toEqual([undefined, undefined]);
  installed.set('bears', 'v1');
  expect(models.installed('bears')?.version).toBe('v1');
});

test('another conversion of the same model is used: of a shipped one, and one that was there or awaited at the start', () => {
  const installed = new Map([
    ['bears', 'older'],
    ['coco-ssd', 'older'],
  ]);
  const { models } = start(installed);
  expect(models.installed('bears')?.version).toBe('older');
  installed.set('bears', 'v1').set('coco-ssd', 'v3');
  expect([models.installed('bears')?.version, models.installed('coco-ssd')?.version]).toEqual(['v1', 'v3']);
});

test('the service is not ready while a model that it needs is gone, and says which setting selects it', () => {
  const installed = new Map([
    ['bears', 'v1'],
    ['foxes', 'v1'],
    ['coco-ssd', 'v1'],
  ]);
  const { component } = start(installed);
  installed.delete('foxes');
  expect(component.isReady()).toBe(true);
  installed.set('bears', 'v2');
  expect(component.isReady()).toMatch(
    /^the model bears was removed or replaced .* lynceus models add FILE --id bears, .*\(selected by defaultDetector\)$/,
  );
  installed.delete('coco-ssd');
  installed.set('bears', 'v1');
  expect(component.isReady()).toMatch(
    /^the model coco-accurate is missing; .*lynceus models install coco-ssd/,
  );
});

test('a service that was started without models is ready without them', () => {
  expect(start(new Map()).component.isReady()).toBe(true);
});

type OpenModel = typeof import('../../packages/engine/src/runtime/process/open-model.js');
type Registry = typeof import('../../packages/engine/src/tasks/registry.js');
type Calls = typeof import('../../packages/server/src/recognition/task-calls.js');
type Builtins = typeof import('../../packages/server/src/service/builtin/builtin-models.js');

const packages = new URL('../../../packages/', import.meta.url);

/** What happens in an inference process, piece by piece: the packages do not offer it, but it is what is measured. */
export async function loadInsides(): Promise<
  Pick<OpenModel, 'openModel'> &
    Pick<Registry, 'tasks'> &
    Pick<Calls, 'createTaskCalls'> &
    Pick<Builtins, 'createBuiltinModels'>
> {
  const load = (path: string) => import(new URL(path, packages).href);
  const { openModel } = (await load('engine/dist/runtime/process/open-model.js')) as OpenModel;
  const { tasks } = (await load('engine/dist/tasks/registry.js')) as Registry;
  const { createTaskCalls } = (await load('server/dist/recognition/task-calls.js')) as Calls;
  const { createBuiltinModels } = (await load('server/dist/service/builtin/builtin-models.js')) as Builtins;
  return { openModel, tasks, createTaskCalls, createBuiltinModels };
}

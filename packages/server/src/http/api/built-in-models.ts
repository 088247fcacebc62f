import { type Static, Type } from 'typebox';
import type { BuiltinModels } from '../../service/builtin/builtin-models.js';
import type { Installation } from './installation.js';
import type { ApiDeps, ApiScope } from './scope.js';

const Measured = Type.Object({
  figure: Type.String(),
  value: Type.String(),
  how: Type.String({ description: 'without it the value is worth nothing' }),
});
export const BuiltInModel = Type.Object(
  {
    id: Type.String({ description: 'in the catalogue' }),
    name: Type.String(),
    summary: Type.String(),
    task: Type.String({ examples: ['detector', 'classifier', 'face-embedder'] }),
    licence: Type.Object({
      stated: Type.String({ description: 'an SPDX identifier, or unknown' }),
      by: Type.String(),
      text: Type.Union([Type.String(), Type.Null()], {
        description: 'the licence itself, where the operator gave it',
      }),
    }),
    provenance: Type.Object({ known: Type.Array(Type.String()), unknown: Type.Array(Type.String()) }),
    measured: Type.Array(Measured),
    is_installed: Type.Boolean(),
    is_added: Type.Boolean({ description: 'whether the operator of this installation added it' }),
    predicts_as: Type.Array(
      Type.Object({
        model_id: Type.Integer(),
        uid: Type.String(),
        name: Type.String(),
        task: Type.Enum(['object_detection', 'classification']),
      }),
      { description: 'what v1 and v2 name it by, where they can; alone or joined with others' },
    ),
  },
  {
    title: 'BuiltInModel',
    description:
      'A model that comes with the service, or that its operator added: what is known of it, and what is not',
  },
);
const BuiltInModels = Type.Object(
  { data: Type.Array(BuiltInModel) },
  { description: 'Models that come with the service, or that its operator added' },
);

/** What is known of the models that come with the service, and what is not. */
export function addBuiltInRoute(app: ApiScope, { installation, builtinModels }: ApiDeps): void {
  app.get('/models/built-in', {
    config: { right: 'read' },
    schema: {
      tags: ['models'],
      operationId: 'listBuiltInModels',
      summary:
        'Models that come with the service or that its operator added: licence, provenance and measured figures',
      response: { 200: BuiltInModels },
    },
    handler: async () => ({
      data: installation.catalog.list().map((model) => toBuiltIn(model, builtinModels)),
    }),
  });
}

type ListedModel = ReturnType<Installation['catalog']['list']>[number];

export function toBuiltIn(
  { entry, installed }: ListedModel,
  { all }: Pick<BuiltinModels, 'all'>,
): Static<typeof BuiltInModel> {
  const { licence, provenance, measured } = entry;
  return {
    id: entry.id,
    name: entry.title,
    summary: entry.summary,
    task: entry.family,
    licence: { stated: licence.stated, by: licence.by, text: licence.text ?? null },
    provenance: { known: [...provenance.known], unknown: [...provenance.unknown] },
    measured: measured.map(({ figure, value, how }) => ({ figure, value, how })),
    is_installed: installed !== undefined,
    is_added: entry.modelId !== undefined,
    predicts_as: all
      .filter(({ parts }) => parts.includes(entry.id))
      .map(({ id, uid, title, type }) => ({ model_id: id, uid, name: title, task: type })),
  };
}

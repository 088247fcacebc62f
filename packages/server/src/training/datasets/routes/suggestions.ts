import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id } from '../../../http/api/fields.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import type { DatasetDeps } from './deps.js';
import { Box, ImageParams, toBox } from './fields.js';

const Seen = {
  box: Type.Union([Box, Type.Null()], { description: 'null in classification' }),
  score: Type.Number({ description: 'of the model, 0 to 1' }),
};
export const LabelSuggestions = Type.Object(
  {
    model_id: Type.String({ description: 'the UID of the model that was asked' }),
    labels: Type.Array(Type.Object({ class_id: Id, ...Seen }), {
      description: 'what the dataset has a class of that name for, the surest first',
    }),
    others: Type.Array(Type.Object({ title: Type.String(), ...Seen }), {
      description: 'what it has none for',
    }),
  },
  { title: 'LabelSuggestions', description: 'What a model takes the image to show' },
);

/** What a model would label an image with, to be accepted or corrected. */
export function addSuggestionRoute(app: ApiScope, deps: DatasetDeps): void {
  const { datasets, images } = deps.datasets;

  app.post('/datasets/:id/images/:image_id/suggestions', {
    config: { right: 'read', audit: null },
    schema: {
      tags: ['datasets'],
      operationId: 'suggestDatasetLabels',
      summary: 'What a model would label an image with; changes nothing and counts no call',
      description:
        'By a model of the account, or by the built-in one of the task of the dataset. Boxes are as `PUT …/labels` takes them. Classes are found by name, in large or small letters.',
      params: ImageParams,
      body: Type.Optional(
        exactly({
          model_id: Type.Optional(
            Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Id], {
              description: 'the number or UID of a model for the task of the dataset',
            }),
          ),
        }),
      ),
      response: { 200: LabelSuggestions },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const dataset = await datasets.read(accountId, request.params.id);
      const image = await images.read(accountId, dataset.id, request.params.image_id);
      const signal = createRequestSignal(reply, deps);
      const { model_id: reference } = request.body ?? {};
      const { modelUid, found } = await deps.suggestLabels(accountId, dataset, image, reference, signal);
      const suggested = found.map(({ box, ...each }) => ({ ...each, box: box && toBox(box) }));
      return {
        model_id: modelUid,
        labels: suggested.flatMap(({ classId, box, score }) =>
          classId === null ? [] : [{ class_id: classId, box, score }],
        ),
        others: suggested
          .filter(({ classId }) => classId === null)
          .map(({ title, box, score }) => ({ title, box, score })),
      };
    },
  });
}

import { type Static, Type } from 'typebox';
import { toCamel } from '../../core/snake-names.js';
import { toAnswer } from '../../http/api/answer.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id, Name, Time } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import {
  type Perception as DomainPerception,
  enrolmentProblems,
  type PerceptionSettings,
} from '../perception.js';
import type { FaceDeps } from './deps.js';
import { IdParams, Problem } from './fields.js';
import { findPerception, rethrowNoPerception } from './find-perception.js';
import { Receipt, toReceipt } from './receipt.js';

const perception = {
  model_id: Type.Integer({ description: 'what v1 names it by', examples: [1001] }),
  uid: Type.String({ description: 'the same as text, which v1 takes too' }),
  name: Type.String({ examples: ['staff'] }),
  decision_similarity: Type.Number({
    description: 'the similarity, 0 to 1, from which a face is taken for a person',
    examples: [0.5],
  }),
  wants_liveness: Type.Boolean({
    description: 'whether a search distinguishes living faces from images of them',
  }),
  names_recognition: Type.Boolean({ description: 'whether general recognition names faces by it' }),
  refused_problems: Type.Array(Problem, { description: 'problems for which an image is not added' }),
  calibration: Type.Union([Type.Object({ midpoint: Type.Number(), slope: Type.Number() }), Type.Null()], {
    description: 'its own curve from cosine to similarity; null: the curve of the embedder',
  }),
  embedder: Type.String({ description: 'the model that describes its faces, with its version' }),
  created_at: Time,
};
export const Perception = Type.Object(perception, {
  title: 'Perception',
  description: 'The perception as it is now: a collection of people whose faces are known',
});
export const CountedPerception = Type.Object(
  { ...perception, people: Type.Integer(), images: Type.Integer() },
  { title: 'CountedPerception', description: 'The perception, and how much it holds' },
);
const PerceptionList = PageOf(Perception, 'A page of perceptions');

const settings = {
  decision_similarity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' }),
  ),
  wants_liveness: Type.Optional(Type.Boolean({ description: 'true or false' })),
  names_recognition: Type.Optional(Type.Boolean({ description: 'true or false' })),
  refused_problems: Type.Optional(
    Type.Array(Problem, {
      maxItems: 20,
      description: `a list of problems out of ${enrolmentProblems.join(', ')}`,
    }),
  ),
};
const SettingsInput = exactly({ name: Type.Optional(Name), ...settings });
const tags = ['perceptions'];

/** Collections of people whose faces are known. */
export function addPerceptionRoutes(app: ApiScope, { faces }: FaceDeps): void {
  const { perceptions, people, images, deletion } = faces;

  app.get('/perceptions', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listPerceptions',
      summary: 'Perceptions of this account, the newest first',
      querystring: exactly(paging),
      response: { 200: PerceptionList },
    },
    async handler(request) {
      const page = await perceptions.list(callerOf(request).accountId, pageRequest(Id, request.query));
      return toPageAnswer(page, toPerception);
    },
  });

  app.post('/perceptions', {
    config: { right: 'change', audit: ['perceptions.create', 'perception'] },
    schema: {
      tags,
      operationId: 'createPerception',
      summary: 'Makes a perception; model_id is what v1 names it by',
      body: exactly({ name: Name, ...settings }),
      response: { 201: Perception },
    },
    async handler(request) {
      const { name } = request.body;
      const wanted = { ...toSettings(request.body), name };
      return toPerception(await perceptions.create(callerOf(request).accountId, wanted));
    },
  });

  app.get('/perceptions/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readPerception',
      summary: 'One perception, with how many people and images it has',
      params: IdParams,
      response: { 200: CountedPerception },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const found = await findPerception(faces, accountId, request.params.id);
      return {
        ...toPerception(found),
        people: await people.count(accountId, found.id),
        images: await images.count(accountId, found.id),
      };
    },
  });

  app.patch('/perceptions/:id', {
    config: { right: 'change', audit: ['perceptions.change', 'perception'] },
    schema: {
      tags,
      operationId: 'changePerception',
      summary: 'Renames a perception, or changes its settings',
      params: IdParams,
      body: SettingsInput,
      response: { 200: Perception },
    },
    async handler(request) {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      const changed = await perceptions
        .change(accountId, id, toSettings(request.body))
        .catch(rethrowNoPerception(id));
      return toPerception(changed);
    },
  });

  app.delete('/perceptions/:id', {
    config: { right: 'change', audit: ['perceptions.delete', 'perception'] },
    schema: {
      tags,
      operationId: 'deletePerception',
      summary: 'Deletes a perception with its people, images, vectors and corrections',
      params: IdParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      return toReceipt(await deletion.removePerception(accountId, id).catch(rethrowNoPerception(id)));
    },
  });
}

/** Only what is given. */
function toSettings(given: Static<typeof SettingsInput>): Partial<PerceptionSettings> {
  const { refused_problems: problems, ...others } = given;
  return { ...toCamel(others), ...(problems && { refusedProblems: [...new Set(problems)] }) };
}

export function toPerception(found: DomainPerception): Static<typeof Perception> {
  return toAnswer(Perception, found, { model_id: found.id });
}

import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import type { ApiScope } from '../../http/api/scope.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import type { DestinationVerdict } from '../test-destination.js';
import type { DropDeps } from './deps.js';
import { DropParams } from './fields.js';

const problems = [
  ...(['unreachable', 'not-allowed', 'credentials', 'identity', 'refused'] as const),
  ...(['full', 'exists', 'mismatch', 'settings'] as const),
];
export const Verdict = Type.Object(
  {
    ok: Type.Boolean({ description: 'whether a file could be written there' }),
    where: Type.Union([Type.String(), Type.Null()], { description: 'where it was, until it was removed' }),
    problem: Type.Union([Type.Enum(problems), Type.Null()], { description: 'null when all is well' }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'what to fix, in words that may change',
    }),
    duration_ms: Type.Integer(),
  },
  { title: 'DestinationVerdict', description: 'What came of it' },
);

/** The button that tries a destination. */
export function addDestinationTestRoute(app: ApiScope, deps: DropDeps): void {
  app.post('/drops/:id/destination/test', {
    config: { right: 'change', audit: ['drops.test', 'drop'] },
    schema: {
      tags: ['drops'],
      operationId: 'testDropDestination',
      summary: 'Connects to the destination of a drop, writes a small file there, and removes it',
      description: 'A destination that does not work is an answer too, with HTTP 200 and `ok` false.',
      params: DropParams,
      response: { 200: Verdict },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const signal = createRequestSignal(reply, deps);
      return toVerdict(await deps.dropStore.testDestination(accountId, request.params.id, signal));
    },
  });
}

function toVerdict(verdict: DestinationVerdict): Static<typeof Verdict> {
  const duration_ms = verdict.durationMs;
  return verdict.isGood
    ? { ok: true, where: verdict.where, problem: null, message: null, duration_ms }
    : { ok: false, where: null, problem: verdict.problem, message: verdict.message, duration_ms };
}

import { type Static, Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id, Name } from '../../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import type { OutputVerdict } from '../test-output.js';
import type { OutputDeps } from './deps.js';
import { NewStreamOutput, StreamOutput, toStreamOutput } from './output.js';
import { fromSecrets, fromSettings, SecretsInput, SettingsInput } from './settings.js';

const tags = ['streams'];
const OutputList = PageOf(StreamOutput, 'A page of outputs');
const OutputParams = Type.Object({ id: Id });
const Enabled = Type.Boolean({ description: 'true to send events, false to send none' });

const problems = [
  ...(['unreachable', 'not-allowed', 'credentials', 'identity', 'refused'] as const),
  ...(['full', 'exists', 'mismatch', 'settings'] as const),
];
const Verdict = Type.Object(
  {
    ok: Type.Boolean({ description: 'whether the receiver has the test event' }),
    where: Type.Union([Type.String(), Type.Null()], { description: 'where it was sent' }),
    problem: Type.Union([Type.Enum(problems), Type.Null()], { description: 'null when all is well' }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'what to fix, in words that may change',
    }),
    duration_ms: Type.Integer(),
  },
  { title: 'StreamOutputVerdict', description: 'What came of it' },
);

/** Outputs: where events of streams are sent. */
export function addStreamOutputRoutes(app: ApiScope, deps: OutputDeps): void {
  const { streamOutputs } = deps;

  app.get('/stream-outputs', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listStreamOutputs',
      summary: 'Where events of streams are sent, the newest first',
      querystring: exactly(paging),
      response: { 200: OutputList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return toPageAnswer(
        await streamOutputs.list(accountId, pageRequest(Id, request.query)),
        toStreamOutput,
      );
    },
  });

  app.post('/stream-outputs', {
    config: { right: 'change', audit: ['stream_outputs.create', 'stream_output'] },
    schema: {
      tags,
      operationId: 'createStreamOutput',
      summary: 'Has events of streams sent to a webhook or an MQTT broker, from the next event on',
      description:
        'An account has at most 20. A webhook gets a key for its signatures unless one is given; the answer alone shows it.',
      body: exactly({
        name: Name,
        enabled: Type.Optional(Enabled),
        settings: SettingsInput,
        secrets: Type.Optional(SecretsInput),
      }),
      response: { 201: NewStreamOutput },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { name, enabled: isEnabled, settings, secrets } = request.body;
      const { output, signingKey } = await streamOutputs.create(accountId, {
        name,
        isEnabled,
        settings: fromSettings(settings),
        secrets: secrets && fromSecrets(secrets),
      });
      return { ...toStreamOutput(output), signing_key: signingKey };
    },
  });

  app.get('/stream-outputs/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readStreamOutput',
      summary: 'One output: where it sends, and how that goes',
      params: OutputParams,
      response: { 200: StreamOutput },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return toStreamOutput(await streamOutputs.read(accountId, request.params.id));
    },
  });

  app.patch('/stream-outputs/:id', {
    config: { right: 'change', audit: ['stream_outputs.change', 'stream_output'] },
    schema: {
      tags,
      operationId: 'changeStreamOutput',
      summary: 'Renames, enables or disables an output, or changes its settings one by one',
      description:
        'Settings that are left out stay as they are; the kind stays what it was. Secrets that are left out are kept while the receiver stays the same. ' +
        'One that is enabled again begins with the next event.',
      params: OutputParams,
      body: exactly({
        name: Type.Optional(Name),
        enabled: Type.Optional(Enabled),
        settings: Type.Optional(SettingsInput),
        secrets: Type.Optional(SecretsInput),
      }),
      response: { 200: StreamOutput },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { name, enabled: isEnabled, settings, secrets } = request.body;
      const changed = await streamOutputs.change(accountId, request.params.id, {
        ...(name === undefined ? {} : { name }),
        ...(isEnabled === undefined ? {} : { isEnabled }),
        ...(settings === undefined ? {} : { settings: fromSettings(settings) }),
        ...(secrets === undefined ? {} : { secrets: fromSecrets(secrets) }),
      });
      return toStreamOutput(changed);
    },
  });

  app.delete('/stream-outputs/:id', {
    config: { right: 'change', audit: ['stream_outputs.delete', 'stream_output'] },
    schema: {
      tags,
      operationId: 'deleteStreamOutput',
      summary: 'Deletes an output; what a broker keeps of it is removed there within seconds',
      params: OutputParams,
      response: { 204: Type.Null({ description: 'It is deleted' }) },
    },
    async handler(request) {
      await streamOutputs.remove(callerOf(request).accountId, request.params.id);
    },
  });

  app.post('/stream-outputs/:id/test', {
    config: { right: 'change', audit: ['stream_outputs.test', 'stream_output'] },
    schema: {
      tags,
      operationId: 'testStreamOutput',
      summary: 'Sends an event that says that it is a test',
      description: 'An output that does not work is an answer too, with HTTP 200 and `ok` false.',
      params: OutputParams,
      response: { 200: Verdict },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const signal = createRequestSignal(reply, deps);
      return toVerdict(await deps.testStreamOutput(accountId, request.params.id, signal));
    },
  });
}

function toVerdict(verdict: OutputVerdict): Static<typeof Verdict> {
  const duration_ms = verdict.durationMs;
  return verdict.isGood
    ? { ok: true, where: verdict.where, problem: null, message: null, duration_ms }
    : { ok: false, where: null, problem: verdict.problem, message: verdict.message, duration_ms };
}

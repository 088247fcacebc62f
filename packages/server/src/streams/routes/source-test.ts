import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import type { SourceInput } from '../stream.js';
import type { SourceTrial } from '../try-source.js';
import type { StreamDeps } from './deps.js';
import { StreamParams } from './fields.js';
import { fromSource, StreamSourceInput } from './source.js';

const SizeOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'of what it sends, in pixels' });
const Tested = Type.Object(
  {
    ok: Type.Boolean({ description: 'whether a frame came, of the substream too where there is one' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'what to fix, in words that may change; null when all is well',
    }),
    width: SizeOrNull,
    height: SizeOrNull,
    frame: Type.Union([Type.String(), Type.Null()], {
      description: 'a frame as JPEG in base64, at most 1280 pixels wide',
    }),
  },
  { title: 'TestedStreamSource', description: 'What came of it' },
);
const description =
  'A source that does not work is an answer too, with HTTP 200 and `ok` false. It takes 30 seconds at most. An account tries two sources at once.';
const tags = ['streams'];

/** The button that tries a source. */
export function addSourceTestRoutes(app: ApiScope, { streamStore, ...deps }: StreamDeps): void {
  const { streams, trySource } = streamStore;
  const test = async (
    accountId: number,
    id: number | null,
    wanted: SourceInput | undefined,
    signal: AbortSignal,
  ) => toTested(await trySource(accountId, await streams.wholeSource(accountId, id, wanted), signal));

  app.post('/streams/test', {
    config: { right: 'change', audit: ['streams.test', 'stream'] },
    schema: {
      tags,
      operationId: 'testStreamSource',
      summary: 'Connects to a source that no stream has yet, and answers with a frame of it',
      description,
      body: exactly({ source: StreamSourceInput }),
      response: { 200: Tested },
    },
    async handler(request, reply) {
      const source = fromSource(request.body.source);
      return test(callerOf(request).accountId, null, source, createRequestSignal(reply, deps));
    },
  });

  app.post('/streams/:id/test', {
    config: { right: 'change', audit: ['streams.test', 'stream'] },
    schema: {
      tags,
      operationId: 'testStream',
      summary:
        'Connects to the source of a stream, or to another with its password, and answers with a frame of it',
      description,
      params: StreamParams,
      body: Type.Optional(exactly({ source: Type.Optional(StreamSourceInput) })),
      response: { 200: Tested },
    },
    async handler(request, reply) {
      const { source } = request.body ?? {};
      const signal = createRequestSignal(reply, deps);
      return test(callerOf(request).accountId, request.params.id, source && fromSource(source), signal);
    },
  });
}

function toTested({ reason, width, height, jpeg }: SourceTrial): Static<typeof Tested> {
  const frame = jpeg === null ? null : Buffer.from(jpeg).toString('base64');
  return { ok: reason === null, reason, width, height, frame };
}

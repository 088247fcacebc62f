import { Type } from 'typebox';
import { maxViewSeconds } from '../../accounts/view-tokens.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Time, toTime } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { StreamDeps } from './deps.js';
import { StreamParams } from './fields.js';

const defaultSeconds = 600;

const ViewToken = Type.Object(
  { token: Type.String(), expires_at: Time },
  {
    title: 'StreamViewToken',
    description: 'A token for the live view of one stream, as view_token of its address',
  },
);

export function addViewTokenRoutes(app: ApiScope, { streamStore }: StreamDeps): void {
  app.post('/streams/:id/view-tokens', {
    config: { right: 'read', audit: null },
    schema: {
      tags: ['streams'],
      operationId: 'createStreamViewToken',
      summary: 'A token by which a page or a dashboard shows the live view of this stream without a key',
      description:
        'It opens `latest.jpg`, `view.mjpg` and `tags` of this stream as `?view_token=`, and nothing else, until its time is over or the key that asked for it is revoked.',
      params: StreamParams,
      body: Type.Optional(
        exactly({
          seconds: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: maxViewSeconds,
              default: defaultSeconds,
              description: `seconds from 1 to ${maxViewSeconds} for which it is good; ${defaultSeconds} unless given`,
            }),
          ),
        }),
      ),
      response: { 201: ViewToken },
    },
    async handler(request) {
      const { accountId, keyId } = callerOf(request);
      const { id: streamId } = await streamStore.streams.read(accountId, request.params.id);
      const { seconds = defaultSeconds } = request.body ?? {};
      const { token, expiresAt } = streamStore.viewTokens.sign({ accountId, streamId, keyId }, seconds);
      return { token, expires_at: toTime(expiresAt) };
    },
  });
}

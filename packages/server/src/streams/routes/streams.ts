import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly, Id, Name } from '../../http/api/fields.js';
import { foldSettings } from '../../http/api/fold-settings.js';
import { PageOf, pageRequest, paging, toNextCursor } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { Stream as DomainStream } from '../stream.js';
import type { StreamDeps } from './deps.js';
import { StreamParams } from './fields.js';
import { fromSettings, SettingsInput } from './settings.js';
import { fromSource, StreamSourceInput } from './source.js';
import { Stream, toStream } from './stream.js';

const StreamList = PageOf(Stream, 'A page of streams');
const Receipt = Type.Object(
  { tracks: Type.Integer(), files: Type.Integer(), file_bytes: Type.Integer() },
  { title: 'StreamReceipt', description: 'What was deleted, for good' },
);
const Enabled = Type.Boolean({ description: 'true to run it, false to leave it stopped' });
const tags = ['streams'];

/** Streams: cameras and other live sources. */
export function addStreamRecordRoutes(app: ApiScope, { streamStore }: StreamDeps): void {
  const { streams, states, deletion } = streamStore;
  const showAll = async (accountId: number, found: readonly DomainStream[]) => {
    const stateOf = await states.read(accountId, found);
    return found.flatMap((stream): Static<typeof Stream>[] => {
      const state = stateOf.get(stream.id);
      return state ? [toStream(stream, state)] : [];
    });
  };
  const showOne = async (accountId: number, stream: DomainStream) => {
    const [shown] = await showAll(accountId, [stream]);
    if (shown === undefined) throw new TypeError('a stream is shown as one');
    return shown;
  };

  app.get('/streams', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listStreams',
      summary: 'Streams of this account, the newest first',
      querystring: exactly(paging),
      response: { 200: StreamList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const page = await streams.list(accountId, pageRequest(Id, request.query));
      return { data: await showAll(accountId, page.items), next_cursor: toNextCursor(page.next) };
    },
  });

  app.post('/streams', {
    config: { right: 'change', audit: ['streams.create', 'stream'] },
    preValidation: foldSettings,
    schema: {
      tags,
      operationId: 'createStream',
      summary: 'Adds a stream, which runs at once unless it is not enabled',
      description:
        'User name and password may be in the address: they are moved out of it. The password, and what is secret in the address, are in no answer.',
      body: exactly({
        name: Name,
        source: StreamSourceInput,
        settings: Type.Optional(SettingsInput),
        enabled: Type.Optional(Enabled),
      }),
      response: { 201: Stream },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { name, source, settings, enabled: isEnabled } = request.body;
      const made = await streams.create(accountId, {
        name,
        source: fromSource(source),
        settings: settings && fromSettings(settings),
        isEnabled,
      });
      return showOne(accountId, made);
    },
  });

  app.get('/streams/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readStream',
      summary: 'One stream: its source, what is looked for, how it is doing',
      params: StreamParams,
      response: { 200: Stream },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return showOne(accountId, await streams.read(accountId, request.params.id));
    },
  });

  app.patch('/streams/:id', {
    config: { right: 'change', audit: ['streams.change', 'stream'] },
    preValidation: foldSettings,
    schema: {
      tags,
      operationId: 'changeStream',
      summary: 'Renames, enables or disables a stream, changes settings one by one, or its source as a whole',
      description:
        'Settings that are left out stay as they are. Another source takes the place of the old one; a password that is left out is kept while host and user name stay the same, and an address as it is shown stands for the one that is kept. It is in force within seconds.',
      params: StreamParams,
      body: exactly({
        name: Type.Optional(Name),
        source: Type.Optional(StreamSourceInput),
        settings: Type.Optional(SettingsInput),
        enabled: Type.Optional(Enabled),
      }),
      response: { 200: Stream },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { name, source, settings, enabled: isEnabled } = request.body;
      const changed = await streams.change(accountId, request.params.id, {
        ...(name === undefined ? {} : { name }),
        ...(source === undefined ? {} : { source: fromSource(source) }),
        ...(settings === undefined ? {} : { settings: fromSettings(settings) }),
        ...(isEnabled === undefined ? {} : { isEnabled }),
      });
      return showOne(accountId, changed);
    },
  });

  app.delete('/streams/:id', {
    config: { right: 'change', audit: ['streams.delete', 'stream'] },
    schema: {
      tags,
      operationId: 'deleteStream',
      summary: 'Deletes a stream with its events, tracks, snapshots and clips',
      params: StreamParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { bytes, ...counts } = await deletion.removeStream(accountId, request.params.id);
      return { ...counts, file_bytes: bytes };
    },
  });
}

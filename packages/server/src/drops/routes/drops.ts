import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { callerOf, creatorOf, managerOf } from '../../http/api/caller.js';
import { exactly, Id, Name } from '../../http/api/fields.js';
import { foldSettings } from '../../http/api/fold-settings.js';
import { PageOf, pageRequest, paging, toNextCursor } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { Drop as DomainDrop } from '../drop.js';
import type { DropDeps } from './deps.js';
import { DestinationInput, destinationText, fromDestination } from './destination.js';
import { Drop, NewDrop, toDrop } from './drop.js';
import { DropParams, UserName } from './fields.js';
import { fromSettings, SettingsInput } from './settings.js';

const DropList = PageOf(Drop, 'A page of drops');
export const Receipt = Type.Object(
  { files: Type.Integer(), folders: Type.Integer(), file_bytes: Type.Integer() },
  { title: 'DropReceipt', description: 'What was deleted, for good' },
);
const MaybeDestination = Type.Union([DestinationInput, Type.Null()], {
  description: `${destinationText}; or null for none`,
});
const tags = ['drops'];

/** Drops receive photographs by FTP, write keywords into them, and deliver them. */
export function addDropRecordRoutes(app: ApiScope, deps: DropDeps): void {
  const { drops, deletion } = deps.dropStore;

  app.get('/drops', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listDrops',
      summary: 'Drops of this account, the newest first',
      querystring: exactly(paging),
      response: { 200: DropList },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const page = await drops.list(accountId, pageRequest(Id, request.query));
      return {
        data: await showDrops(deps, request, accountId, page.items),
        next_cursor: toNextCursor(page.next),
      };
    },
  });

  app.post('/drops', {
    config: { right: 'change', audit: ['drops.create', 'drop'] },
    preValidation: foldSettings,
    schema: {
      tags,
      operationId: 'createDrop',
      summary: 'Makes a drop with a key of its own; the answer alone shows the key',
      body: exactly({
        name: Name,
        user_name: Type.Optional(UserName),
        settings: Type.Optional(SettingsInput),
        destination: Type.Optional(MaybeDestination),
      }),
      response: { 201: NewDrop },
    },
    async handler(request) {
      const { accountId } = managerOf(request);
      const { name, user_name: userName } = request.body;
      const changes = await readChanges(deps, accountId, request.body);
      const { drop, key } = await drops.create(accountId, {
        name,
        userName,
        ...changes,
        creator: creatorOf(request),
      });
      return { ...(await showDrop(deps, request, accountId, drop)), key };
    },
  });

  app.get('/drops/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readDrop',
      summary: 'One drop: where to send images, what it does with them, where they go, how many wait',
      params: DropParams,
      response: { 200: Drop },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      return showDrop(deps, request, accountId, await drops.read(accountId, request.params.id));
    },
  });

  app.patch('/drops/:id', {
    config: { right: 'change', audit: ['drops.change', 'drop'] },
    preValidation: foldSettings,
    schema: {
      tags,
      operationId: 'changeDrop',
      summary: 'Renames a drop, changes settings one by one, or its destination as a whole',
      description:
        'Settings that are left out stay as they are. Another destination takes the place of the old one; secrets that are ' +
        'left out are kept while host, port and user stay the same. For files that did not get that far yet.',
      params: DropParams,
      body: exactly({
        name: Type.Optional(Name),
        settings: Type.Optional(SettingsInput),
        destination: Type.Optional(MaybeDestination),
      }),
      response: { 200: Drop },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      await drops.read(accountId, request.params.id);
      const { name } = request.body;
      const changes = await readChanges(deps, accountId, request.body);
      const drop = await drops.change(accountId, request.params.id, {
        ...(name === undefined ? {} : { name }),
        ...changes,
      });
      return showDrop(deps, request, accountId, drop);
    },
  });

  app.delete('/drops/:id', {
    config: { right: 'change', audit: ['drops.delete', 'drop'] },
    schema: {
      tags,
      operationId: 'deleteDrop',
      summary: 'Deletes a drop with its key and its files, those that wait to be sent on too',
      params: DropParams,
      response: { 200: Receipt },
    },
    async handler(request) {
      const { bytes, ...counts } = await deletion.removeDrop(callerOf(request).accountId, request.params.id);
      return { ...counts, file_bytes: bytes };
    },
  });

  app.post('/drops/:id/key', {
    config: { right: 'change', audit: ['drops.renew_key', 'drop'] },
    schema: {
      tags,
      operationId: 'renewDropKey',
      summary: 'Gives a drop another key, which this answer alone shows; the old one is refused from now on',
      params: DropParams,
      response: { 200: NewDrop },
    },
    async handler(request) {
      const { accountId } = managerOf(request);
      const { drop, key } = await drops.renewKey(accountId, request.params.id, creatorOf(request));
      return { ...(await showDrop(deps, request, accountId, drop)), key };
    },
  });
}

/** Throws `invalid_model` and `wrong_parameters`. */
async function readChanges(
  { chooseModel }: DropDeps,
  accountId: number,
  given: {
    readonly settings?: Static<typeof SettingsInput>;
    readonly destination?: Static<typeof MaybeDestination>;
  },
) {
  const settings = given.settings && fromSettings(given.settings);
  if (settings?.modelReference != null) await chooseModel(accountId, settings.modelReference);
  const destination = given.destination && fromDestination(given.destination);
  return {
    ...(settings === undefined ? {} : { settings }),
    ...(destination === undefined ? {} : { destination }),
  };
}

async function showDrop(deps: DropDeps, request: FastifyRequest, accountId: number, drop: DomainDrop) {
  const [shown] = await showDrops(deps, request, accountId, [drop]);
  if (shown === undefined) throw new TypeError('a drop is shown as one');
  return shown;
}

async function showDrops(
  { dropStore, publicAddress }: DropDeps,
  request: FastifyRequest,
  accountId: number,
  found: readonly DomainDrop[],
): Promise<Static<typeof Drop>[]> {
  const counts = await dropStore.files.count(
    accountId,
    found.map(({ id }) => id),
  );
  const service = new URL(publicAddress(request)).hostname;
  return found.map((drop) => {
    const host = dropStore.hostOf(drop.userName) ?? service;
    const { ftpPort, sftpPort } = dropStore;
    return toDrop(drop, { host, ftpPort, sftpPort }, counts.get(drop.id));
  });
}

import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Drop as DomainDrop } from '../../drop/drops/drop.js';
import type { ApiDeps } from '../scope.js';
import { type Drop, toDrop } from './drop.js';

export type ShowDeps = Pick<ApiDeps, 'dropStore' | 'publicAddress'>;

export async function showDrop(deps: ShowDeps, request: FastifyRequest, accountId: number, drop: DomainDrop) {
  const [shown] = await showDrops(deps, request, accountId, [drop]);
  if (shown === undefined) throw new TypeError('a drop is shown as one');
  return shown;
}

export async function showDrops(
  { dropStore, publicAddress }: ShowDeps,
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
    return toDrop(drop, { host, port: dropStore.ftpPort }, counts.get(drop.id));
  });
}

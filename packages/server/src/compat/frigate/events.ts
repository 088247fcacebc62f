import { type Static, Type } from 'typebox';
import { firstOf } from '../../http/common/key.js';
import type { Track } from '../../streams/tracks.js';
import { createParameterCheck } from '../../wire/raw-body-handler.js';
import type { CompatHandler, CompatRequest } from '../common/compat-route.js';
import { toFrigateEvent } from './answers.js';
import { accountOf, type FrigateDeps, findEvent } from './call.js';

const List = Type.Optional(Type.String({ maxLength: 2000, description: 'names, comma separated, or all' }));
const Flag = Type.Optional(Type.Enum(['0', '1'], { description: '0 or 1' }));
const Decimal = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,12}(\\.[0-9]{1,9})?$', description }));
const Seconds = Decimal('seconds since 1970');

/** What `/api/events` of Frigate takes; anything else is left alone. */
const Query = Type.Object({
  ...{ camera: List, cameras: List, label: List, labels: List, zone: List, zones: List, sub_labels: List },
  ...{ after: Seconds, before: Seconds, has_snapshot: Flag, has_clip: Flag, in_progress: Flag },
  ...{ min_score: Decimal('a score'), max_score: Decimal('a score') },
  ...{ min_length: Decimal('seconds'), max_length: Decimal('seconds') },
  limit: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$', description: 'a number up to 9999' })),
});
const checkQuery = createParameterCheck(Query);
type Query = Static<typeof Query>;

const usualLimit = 100;
const maxLimit = 1000;
/** Objects that a summary counts. */
const maxSummed = 5000;

/** `GET /api/events`: objects, the newest first. */
export function answerEvents(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    const accountId = await accountOf(deps, request);
    const query = readQuery(request);
    const limit = Math.min(maxLimit, Number(query.limit ?? usualLimit));
    const { found, names } = await listEvents(deps, accountId, query, limit);
    return { body: found.map((track) => toFrigateEvent(track, names.get(track.streamId) ?? '')) };
  };
}

/** `GET /api/events/summary`: how many objects of each kind a day. */
export function answerSummary(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    const accountId = await accountOf(deps, request);
    const { found, names } = await listEvents(deps, accountId, readQuery(request), maxSummed);
    const counts = new Map<string, { readonly key: object; count: number }>();
    for (const track of found) {
      const key = {
        camera: names.get(track.streamId) ?? '',
        label: track.label,
        sub_label: track.person?.name ?? null,
        day: new Date(track.startedAt).toISOString().slice(0, 10),
        zones: track.enteredZones,
      };
      const name = JSON.stringify(key);
      const known = counts.get(name) ?? { key, count: 0 };
      known.count += 1;
      counts.set(name, known);
    }
    return { body: [...counts.values()].map(({ key, count }) => ({ ...key, count })) };
  };
}

/** `GET /api/events/ID`. */
export function answerEvent(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    const accountId = await accountOf(deps, request);
    const track = await findEvent(deps, accountId, request);
    const cameras = await deps.frigateStore.cameras(accountId);
    const camera = cameras.find(({ id }) => id === track.streamId)?.camera ?? '';
    return { body: toFrigateEvent(track, camera) };
  };
}

/** `POST /api/events/ID/sub_label`: names of other programs are not kept. */
export function answerSubLabel(deps: FrigateDeps): CompatHandler {
  return async (request) => {
    await findEvent(deps, await accountOf(deps, request), request);
    return { body: { success: true, message: 'sub labels of other programs are not kept' } };
  };
}

function readQuery(request: CompatRequest): Query {
  const given = Object.keys(Query.properties).flatMap((name) => {
    const value = firstOf(request.query, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return checkQuery(Object.fromEntries(given));
}

async function listEvents({ frigateStore }: FrigateDeps, accountId: number, query: Query, limit: number) {
  const cameras = await frigateStore.cameras(accountId);
  const names = new Map(cameras.map(({ id, camera }) => [id, camera]));
  const isOfCamera = namesOf(query.cameras, query.camera);
  const wanted = cameras.filter(({ camera }) => isOfCamera(camera));
  // One stream is found by an index.
  const [only] = wanted.length === 1 ? wanted : [];
  const filter = {
    streamId: only?.id,
    // Exclusive, as there.
    fromMs: query.after === undefined ? undefined : Math.floor(Number(query.after) * 1000) + 1,
    beforeMs: query.before === undefined ? undefined : Math.ceil(Number(query.before) * 1000),
  };
  const ids = new Set(wanted.map(({ id }) => id));
  const matches = matcherOf(query);
  const found = await frigateStore.listTracks(
    accountId,
    filter,
    (track) => ids.has(track.streamId) && matches(track),
    limit,
  );
  return { found, names };
}

function matcherOf(query: Query): (track: Track) => boolean {
  const isOfLabel = namesOf(query.labels, query.label);
  const isOfZone = namesOf(query.zones, query.zone);
  const isOfSubLabel = namesOf(query.sub_labels);
  const isFlag = (flag: string | undefined, value: boolean) => flag === undefined || (flag === '1') === value;
  const isWithin = (value: number, least: string | undefined, most: string | undefined) =>
    (least === undefined || value >= Number(least)) && (most === undefined || value <= Number(most));
  return (track) =>
    isOfLabel(track.label) &&
    (track.enteredZones.length === 0 ? isOfZone('None') : track.enteredZones.some(isOfZone)) &&
    isOfSubLabel(track.person?.name ?? 'None') &&
    isFlag(query.has_snapshot, track.snapshotId !== null) &&
    isFlag(query.has_clip, track.clipId !== null) &&
    isFlag(query.in_progress, track.endedAt === null) &&
    isWithin(track.topScore, query.min_score, query.max_score) &&
    isWithin(
      ((track.endedAt ?? track.lastSeenAt) - track.startedAt) / 1000,
      query.min_length,
      query.max_length,
    );
}

/** Whether a name is among those of a list; `all` and no list are every one. */
function namesOf(...lists: readonly (string | undefined)[]): (name: string) => boolean {
  const wanted = lists.flatMap((list) => list?.split(',') ?? []);
  return (name) => wanted.length === 0 || wanted.includes('all') || wanted.includes(name);
}

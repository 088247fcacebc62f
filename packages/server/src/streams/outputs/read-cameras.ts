import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import { readStreamSettings, type StreamSettings } from '../stream-settings.js';
import { nameCameras } from './camera-names.js';

/** An object that is followed now. */
interface OpenTrack {
  readonly id: string;
  readonly label: string;
  readonly isStationary: boolean;
  readonly zones: readonly string[];
}

/** A stream as it is now, for who publishes more of it than events. */
export interface Camera {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** In topics and paths. */
  readonly camera: string;
  readonly isEnabled: boolean;
  readonly settings: StreamSettings;
  /** Null before somebody has run it. */
  readonly state: Selectable<Schema['stream_state']> | null;
  readonly openTracks: readonly OpenTrack[];
}

const Details = Type.Object({ currentZones: Type.Array(Type.String()) });
/** Of an account; more are counted as these. */
const maxOpenTracks = 5000;

/** The streams of an account, the oldest first. */
export async function readCameras(
  { query }: Pick<Database, 'query'>,
  accountId: number,
): Promise<readonly Camera[]> {
  const streams = await query
    .selectFrom('stream')
    .select(['id', 'uid', 'name', 'settings', 'is_enabled'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  if (streams.length === 0) return [];
  const [states, tracks] = await Promise.all([
    query.selectFrom('stream_state').selectAll().where('account_id', '=', accountId).execute(),
    query
      .selectFrom('stream_track')
      .select(['id', 'stream_id', 'label', 'is_stationary', 'details'])
      .where('account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .where('deleted_at', 'is', null)
      .limit(maxOpenTracks)
      .execute(),
  ]);
  const names = nameCameras(streams);
  return streams.map(({ id, uid, name, settings, is_enabled }) => ({
    ...{ id, uid, name },
    camera: names.get(id) ?? String(id),
    isEnabled: is_enabled === 1,
    settings: readStreamSettings(settings),
    state: states.find(({ stream_id }) => stream_id === id) ?? null,
    openTracks: tracks
      .filter(({ stream_id }) => stream_id === id)
      .map((track) => ({
        id: track.id,
        label: track.label,
        isStationary: track.is_stationary === 1,
        zones: readZones(track.details),
      })),
  }));
}

function readZones(details: string): readonly string[] {
  const parsed: unknown = JSON.parse(details);
  return Value.Check(Details, parsed) ? parsed.currentZones : [];
}

/** How many of the newest tracks are looked at for the classes that a stream shows. */
const recentTracks = 20_000;

/** Classes that were seen lately, in no order. */
export async function readRecentLabels(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  streamId: number,
): Promise<ReadonlySet<string>> {
  const recent = query
    .selectFrom('stream_track')
    .select('label')
    .where('account_id', '=', accountId)
    .where('stream_id', '=', streamId)
    .where('deleted_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(recentTracks);
  const rows = await query.selectFrom(recent.as('recent')).select('label').distinct().execute();
  return new Set(rows.map(({ label }) => label));
}

/** Who was recognised last and is known still; null: nobody. */
export async function readLastPerson(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  streamId: number,
): Promise<string | null> {
  const row = await query
    .selectFrom('stream_track')
    .select('person_name')
    .where('account_id', '=', accountId)
    .where('stream_id', '=', streamId)
    .where('person_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.person_name ?? null;
}

import { buffer } from 'node:stream/consumers';
import type { Database } from '../../../storage/database.js';
import type { Media } from '../../media.js';
import { topicLevel } from '../camera-names.js';
import type { MqttSettings } from '../output-settings.js';
import type { OutgoingEvent } from '../read-events.js';
import type { MqttConnection } from './connection.js';
import type { KeptTopics } from './kept-topics.js';
import type { PublishedCamera } from './published-camera.js';

interface ImageTopicsDeps {
  readonly database: Pick<Database, 'query'>;
  readonly media: Pick<Media, 'read'>;
  readonly kept: Pick<KeptTopics, 'add'>;
  readonly accountId: number;
  readonly settings: Pick<
    MqttSettings,
    'prefix' | 'snapshots' | 'frigate' | 'frigatePrefix' | 'retain' | 'labels'
  >;
}

interface Shown {
  readonly trackId: string;
  readonly streamId: number;
  readonly snapshotId: string;
}

/** Whose newest image a topic shows. */
interface Place {
  readonly streamId: number;
  /** None: of all classes. */
  readonly labels: readonly string[];
}

const maxImageBytes = 4 * 1024 * 1024;
/** A broker that takes no messages of that size cuts the connection. After so many cuts an image is left out, so that events go on. */
const maxCuts = 2;
/** Images of that size and above are left out for so long. */
const leaveOutMs = 3_600_000;
/** Of images that are remembered for that. */
const maxRemembered = 1000;

/** The last image of each stream and class, which the broker keeps. */
export function createImageTopics(deps: ImageTopicsDeps) {
  const { database, media, kept, accountId, settings } = deps;
  const shown = new Map<string, Shown>();
  /** The same of the connection before, until it is published again. */
  const before = new Map<string, Shown>();
  /** Topics at which the newest image was looked for, with their streams. */
  const restored = new Map<string, number>();
  /** Images of that size were cut; larger ones are left out for a while. */
  const tooLarge = { bytes: Number.POSITIVE_INFINITY, untilMs: 0 };
  /** How often the connection was lost while an image was published. */
  const cuts = new Map<string, number>();
  const { prefix, frigatePrefix, retain } = settings;

  const read = async (id: string): Promise<Buffer | null> => {
    const found = await media.read(accountId, id);
    if (found === null) return null;
    if (found.sizeBytes > maxImageBytes) {
      found.stream.destroy();
      return null;
    }
    return buffer(found.stream);
  };

  const ownTopic = (camera: string) => (settings.snapshots ? [`${prefix}/${camera}/snapshot`] : []);
  const frigateTopic = (camera: string, label: string) =>
    settings.frigate ? [`${frigatePrefix}/${camera}/${topicLevel(label)}/snapshot`] : [];
  const publishAt = async (to: MqttConnection, topics: readonly string[], image: Shown): Promise<void> => {
    const { snapshotId } = image;
    const lost = cuts.get(snapshotId) ?? 0;
    const jpeg = lost < maxCuts ? await read(snapshotId) : null;
    if (jpeg === null || (jpeg.length >= tooLarge.bytes && performance.now() < tooLarge.untilMs)) return;
    if (retain) await kept.add(topics);
    for (const topic of topics) {
      await to.publish(topic, jpeg, { retain }).catch((error: unknown) => {
        if (cuts.size >= maxRemembered) cuts.clear();
        cuts.set(snapshotId, lost + 1);
        if (lost + 1 >= maxCuts) {
          tooLarge.bytes = jpeg.length;
          tooLarge.untilMs = performance.now() + leaveOutMs;
        }
        throw error;
      });
      shown.set(topic, image);
    }
    cuts.delete(snapshotId);
  };
  const placesOf = (cameras: readonly PublishedCamera[]): ReadonlyMap<string, Place> => {
    const places = new Map<string, Place>();
    for (const { id: streamId, camera, labels } of cameras) {
      for (const topic of ownTopic(camera)) places.set(topic, { streamId, labels: settings.labels });
      for (const label of labels)
        for (const topic of frigateTopic(camera, label)) places.set(topic, { streamId, labels: [label] });
    }
    return places;
  };
  const newestOf = async ({ streamId, labels }: Place): Promise<Shown | null> => {
    let tracks = database.query
      .selectFrom('stream_track')
      .select(['id', 'snapshot_id'])
      .where('account_id', '=', accountId)
      .where('stream_id', '=', streamId)
      .where('snapshot_id', 'is not', null)
      .where('deleted_at', 'is', null);
    if (labels.length > 0) tracks = tracks.where('label', 'in', labels);
    const row = await tracks.orderBy('started_at', 'desc').limit(1).executeTakeFirst();
    return row?.snapshot_id ? { trackId: row.id, streamId, snapshotId: row.snapshot_id } : null;
  };

  return {
    /** The image of an event's track, unless it was published already. */
    async publish(
      to: MqttConnection,
      { trackId, streamId, snapshotId, data }: OutgoingEvent,
      camera: string,
    ) {
      if (trackId === null || snapshotId === null) return;
      const topics = [...ownTopic(camera), ...frigateTopic(camera, data.label)].filter(
        (topic) => shown.get(topic)?.snapshotId !== snapshotId,
      );
      if (topics.length > 0) await publishAt(to, topics, { trackId, streamId, snapshotId });
    },

    /** Where images of these streams may be. */
    topicsOf: (cameras: readonly PublishedCamera[]): ReadonlySet<string> => new Set(placesOf(cameras).keys()),

    /**
     * Has the broker keep the newest image at each topic that is new on this connection, in the place of what was published before. Answers
     * the topics whose image is to stay: not those of tracks that were deleted or hidden, as with their person.
     */
    async keep(to: MqttConnection, cameras: readonly PublishedCamera[]): Promise<ReadonlySet<string>> {
      const places = placesOf(cameras);
      const isPlace = (topic: string, streamId: number) => places.get(topic)?.streamId === streamId;
      for (const images of [shown, before])
        for (const [topic, { streamId }] of images) if (!isPlace(topic, streamId)) images.delete(topic);
      for (const [topic, streamId] of restored) if (!isPlace(topic, streamId)) restored.delete(topic);
      if (!retain) return new Set();
      await dropHidden(before);
      for (const [topic, place] of places) {
        const isNew = !(restored.has(topic) || shown.has(topic));
        const image = before.get(topic) ?? (isNew ? await newestOf(place) : null);
        if (image !== null && !shown.has(topic)) await publishAt(to, [topic], image);
        before.delete(topic);
        restored.set(topic, place.streamId);
      }
      await dropHidden(shown);
      return new Set(shown.keys());
    },

    /** The connection is another: the broker may keep nothing any more. */
    forget() {
      for (const [topic, image] of shown) before.set(topic, image);
      shown.clear();
    },
  };

  async function dropHidden(images: Map<string, Shown>): Promise<void> {
    const ids = [...new Set([...images.values()].map(({ trackId }) => trackId))];
    if (ids.length === 0) return;
    const rows = await database.query
      .selectFrom('stream_track')
      .select('id')
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute();
    const there = new Set(rows.map(({ id }) => id));
    for (const [topic, { trackId }] of images) if (!there.has(trackId)) images.delete(topic);
  }
}

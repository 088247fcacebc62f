import type { Database } from '../../../storage/database.js';
import type { MqttSettings } from '../output-settings.js';
import { type Camera, readCameras, readLastPerson, readRecentLabels } from '../read-cameras.js';
import type { OutgoingEvent } from '../read-events.js';
import type { PublishedCamera } from './published-camera.js';

/** Classes of one stream that have topics. */
const maxLabels = 200;

/** The streams of an output with the classes that they have shown: a topic that was published once is kept up to date. */
export function createPublishedCameras(
  database: Pick<Database, 'query'>,
  accountId: number,
  { streams, labels }: Pick<MqttSettings, 'streams' | 'labels'>,
) {
  const seen = new Map<number, Set<string>>();
  const isOfOutput = (label: string) => labels.length === 0 || labels.includes(label);

  const labelsOf = async ({ id, settings, openTracks }: Camera): Promise<readonly string[]> => {
    const known = seen.get(id) ?? new Set(await readRecentLabels(database, accountId, id));
    seen.set(id, known);
    for (const { label } of openTracks) known.add(label);
    const all = new Set([...settings.classes.map(({ label }) => label), ...known]);
    return [...all].filter(isOfOutput).slice(0, maxLabels).sort();
  };

  return {
    /** All streams of the account, and those that the output is for. */
    async read(): Promise<{
      readonly all: readonly Camera[];
      readonly published: readonly PublishedCamera[];
    }> {
      const all = await readCameras(database, accountId);
      const wanted = all.filter(({ id }) => streams.length === 0 || streams.includes(id));
      const published: PublishedCamera[] = [];
      for (const camera of wanted) {
        published.push({
          ...camera,
          labels: await labelsOf(camera),
          lastPerson: camera.settings.namesPeople
            ? await readLastPerson(database, accountId, camera.id)
            : null,
        });
      }
      for (const id of seen.keys()) if (!all.some((camera) => camera.id === id)) seen.delete(id);
      return { all, published };
    },
    /** An object of this class has topics from now on. */
    see({ streamId, data }: Pick<OutgoingEvent, 'streamId' | 'data'>) {
      // Texts on no object have none.
      if (data.label !== '') seen.get(streamId)?.add(data.label);
    },
  };
}

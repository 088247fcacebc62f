import { rolesOf } from '../core/roles.js';
import type { FaceDatabase } from '../faces/face-database.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { FaceNaming } from '../recognition/name-faces.js';
import type { Core } from '../service/core.js';
import { joinComponents } from '../service/join-components.js';
import { ledSweep, type Module, sweepCutDeletions } from '../service/module.js';
import { deletableBlobs, filesNamedBy, storeFiles } from '../storage/account-files.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import { fileColumns } from '../storage/file-columns.js';
import { sweptFiles } from '../storage/quarantine/swept-files.js';
import { endAbandonedTracks } from './end-abandoned.js';
import { removeHiddenTracks } from './hidden-tracks.js';
import { createHousekeeping } from './housekeeping.js';
import { createMedia, type Media } from './media.js';
import { sweepStreams } from './retention.js';
import { openRunning, type RunningStreams } from './running/open-running.js';
import { openStreamStore, type StreamStore } from './stream-store.js';

export interface StreamsModule extends Module {
  readonly media: Media;
  readonly streamStore: StreamStore;
  readonly runningStreams: RunningStreams;
}

interface StreamsModuleDeps {
  readonly faceNaming: FaceNaming;
  readonly chooseModel: ChooseModel;
  readonly faces: Pick<FaceDatabase, 'perceptions' | 'people' | 'disputes'>;
}

/** Tracks of a person who was deleted are hidden at once, and gone with their files within it. */
const housekeepingMs = 60_000;

/** Live streams and videos. */
export async function openStreamsModule(core: Core, deps: StreamsModuleDeps): Promise<StreamsModule> {
  const { database, clock, settings, logger } = core;
  const roles = rolesOf(settings);
  const files = guardBlobs(await core.openBlobs('media'), core.imageDisk);
  const named = filesNamedBy(database, fileColumns.media);
  const media = createMedia({ database, clock, files });
  const streamStore = await openStreamStore({
    ...core,
    ...deps,
    media,
    installationKeys: await core.installationKeys(),
  });
  const runningStreams = openRunning(core, { ...deps, media, streamStore });
  const housekeeping = [() => removeHiddenTracks({ database, clock, media }), () => endAbandonedTracks(core)];
  return {
    media,
    streamStore: wakingAfterChanges(streamStore, () => runningStreams.supervisor?.wake()),
    runningStreams,
    sweeps: [
      sweepCutDeletions('cut-stream-deletions', streamStore.deletion),
      ledSweep('ended-tracks', (fenced) =>
        sweepStreams({
          ...{ database: fenced, clock, files },
          eventDays: settings.streamEventDays,
          maxMediaBytes: settings.streamMediaMaxBytes,
        }),
      ),
    ],
    sweptStores: [sweptFiles('media', database, files)],
    accountFiles: [storeFiles('media', deletableBlobs(files), named)],
    component: joinComponents('streams', [
      createHousekeeping({
        name: 'tracks of streams',
        onStart: () => streamStore.deletion.finish(),
        work: roles.has('jobs') || roles.has('streams') ? housekeeping : [],
        intervalMs: housekeepingMs,
        onFailure: (error) => logger.warn({ err: error }, 'tracks of streams are looked after later'),
      }),
      ...(runningStreams.supervisor === null ? [] : [runningStreams.supervisor]),
    ]),
  };
}

/** How long after its beginning a deletion has hidden the stream, most likely. */
const hiddenMs = 50;

/** The same, and who runs streams here sees changes at once, and not at the next look. */
function wakingAfterChanges(store: StreamStore, wake: () => void): StreamStore {
  const { streams, deletion } = store;
  return {
    ...store,
    streams: {
      ...streams,
      create: (...wanted) => streams.create(...wanted).finally(wake),
      change: (...wanted) => streams.change(...wanted).finally(wake),
    },
    deletion: {
      ...deletion,
      removeStream(...which) {
        setTimeout(wake, hiddenMs).unref();
        return deletion.removeStream(...which);
      },
    },
  };
}

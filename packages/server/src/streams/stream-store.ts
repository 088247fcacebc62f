import type { ModelRunner } from '@lynceus/engine';
import { createViewTokens, type ViewTokens } from '../accounts/view-tokens.js';
import type { Clock } from '../core/clock.js';
import type { Settings } from '../core/settings.js';
import type { FaceDatabase } from '../faces/face-database.js';
import type { Spool } from '../intake/spool.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Database } from '../storage/database.js';
import { deriveKey } from '../storage/secrets/derive-key.js';
import { withKeysHeld } from '../storage/secrets/key-fence.js';
import type { KeyRing } from '../storage/secrets/key-ring.js';
import { createSecretBox } from '../storage/secrets/secret-box.js';
import { createCheckReferences, createCheckSource } from './check-references.js';
import { createStreamDeletion, type StreamDeletion } from './deletion.js';
import { createStreamEvents, type StreamEvents } from './events.js';
import { createFrameQuota, type FrameQuota } from './frame-quota.js';
import type { Media } from './media.js';
import { createRefusePerson, type RefusePerson } from './not-person.js';
import { createStreamStates, type StreamStates } from './stream-states.js';
import { createStreams, type Streams } from './streams.js';
import { createTrackFiles, type TrackFiles } from './track-files.js';
import { createTracks, type Tracks } from './tracks.js';
import { createTrySource, type TrySource, type TrySourceDeps } from './try-source.js';
import { createVideoFiles } from './video-files.js';

/** Streams with what was seen in them, for who looks after them: what needs nobody who runs them. */
export interface StreamStore {
  readonly streams: Streams;
  readonly states: StreamStates;
  readonly deletion: StreamDeletion;
  readonly tracks: Tracks;
  readonly trackFiles: TrackFiles;
  readonly events: StreamEvents;
  readonly refusePerson: RefusePerson;
  readonly trySource: TrySource;
  readonly frameQuota: FrameQuota;
  readonly viewTokens: ViewTokens;
}

interface StreamStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly media: Media;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly spool: Pick<Spool, 'createFile'>;
  /** With which addresses and passwords of sources are sealed. */
  readonly installationKeys: KeyRing;
  readonly chooseModel: ChooseModel;
  readonly faces: Pick<FaceDatabase, 'perceptions' | 'people' | 'disputes'>;
  readonly settings: Pick<Settings, 'streamMaxPerAccount' | 'streamFramesPerDay'> & TrySourceDeps['settings'];
}

export async function openStreamStore(deps: StreamStoreDeps): Promise<StreamStore> {
  const { database, settings, installationKeys, faces } = deps;
  const tracks = createTracks(deps);
  return {
    streams: createStreams({
      ...deps,
      secretBox: createSecretBox(installationKeys),
      sealing: withKeysHeld(database, installationKeys),
      maxPerAccount: settings.streamMaxPerAccount,
      checkReferences: createCheckReferences({ ...deps, ...faces }),
      checkSource: createCheckSource({ database, streamDevices: settings.streamDevices }),
    }),
    states: createStreamStates(deps),
    deletion: createStreamDeletion(deps),
    tracks,
    trackFiles: createTrackFiles({ ...deps, maxPixels: settings.maxPixels }),
    events: createStreamEvents(database),
    trySource: createTrySource({
      ...deps,
      videoFiles: createVideoFiles({ database, files: deps.media.files }),
    }),
    refusePerson: createRefusePerson({ ...deps, tracks }),
    frameQuota: createFrameQuota({ ...deps, maxPerDay: settings.streamFramesPerDay }),
    viewTokens: createViewTokens({
      secrets: installationKeys.map((key) => deriveKey(key, 'stream view tokens')),
      clock: deps.clock,
    }),
  };
}

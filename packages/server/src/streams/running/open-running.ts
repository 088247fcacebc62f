import { availableParallelism } from 'node:os';
import { createKeyedMutex } from '../../core/keyed-mutex.js';
import { rolesOf } from '../../core/roles.js';
import type { ChooseModel } from '../../recognition/choose-model.js';
import type { FaceNaming } from '../../recognition/name-faces.js';
import { createTaskCalls } from '../../recognition/task-calls.js';
import { readTextLanguages } from '../../recognition/text-languages.js';
import type { Core } from '../../service/core.js';
import { findFfmpeg } from '../decoding/find-ffmpeg.js';
import type { Media } from '../media.js';
import { createPreviews } from '../previews/previews.js';
import { createRemotePreview } from '../previews/remote-preview.js';
import { createStreamHosts } from '../sources/stream-hosts.js';
import type { StreamStore } from '../stream-store.js';
import { createVideoFiles } from '../video-files.js';
import { createAnalyseFrame } from './analyse-frame.js';
import { createFpsBudget } from './fps-budget.js';
import { createFrameSlots } from './frame-slots.js';
import { isMaskedIn, observeStream } from './observe-stream.js';
import type { RecordedEvent } from './record-events.js';
import { createSupervisor } from './supervisor.js';
import { createUserLoad } from './user-load.js';

/** Streams that run, here and elsewhere. */
export type RunningStreams = ReturnType<typeof openRunning>;

interface RunningDeps {
  readonly media: Media;
  readonly streamStore: Pick<StreamStore, 'streams' | 'frameQuota'>;
  readonly chooseModel: ChooseModel;
  readonly faceNaming: FaceNaming;
}

export function openRunning(core: Core, deps: RunningDeps) {
  const { settings, logger, runner, database, clock } = core;
  const { media, streamStore, chooseModel, faceNaming } = deps;
  const { maxPixels } = settings;
  const metrics = core.metrics.streams;
  const listeners: ((event: RecordedEvent) => void)[] = [];
  const onFailure = (error: unknown, message: string) => logger.warn({ err: error }, message);
  const previews = createPreviews({
    createRemote: (accountId, streamId, onIdle) =>
      createRemotePreview({
        ...{ database, clock, runner, maxPixels, accountId, streamId, onIdle },
        onFailure: (error) => onFailure(error, 'frames of another service were not read'),
      }),
  });
  const analyseDeps = {
    ...{ runner, chooseModel, faceNaming, maxPixels },
    calls: createTaskCalls({ installedModel: core.installedModel, faceChain: settings.faceChain }),
    generalModels: core.builtinModels.defaults.general,
    usualLanguages: readTextLanguages(settings.textLanguages),
  };
  const isRunning = core.mode === 'service' && rolesOf(settings).has('streams');
  const supervisor = isRunning
    ? createSupervisor({
        ...core,
        ...streamStore,
        ...{ media, previews, maxPixels, onFailure },
        hasFrameLimit: settings.streamFramesPerDay > 0,
        budget: createFpsBudget({ maxFps: settings.streamMaxFps }),
        slots: createFrameSlots({
          processes: settings.inferenceProcesses || availableParallelism(),
          isInteractive: core.inferenceLoad.isInteractive,
        }),
        load: createUserLoad({ load: core.inferenceLoad, runner }),
        findFfmpeg: () => findFfmpeg(settings.ffmpegPath, [settings.dataDir]),
        reach: createStreamHosts(settings),
        videoFiles: createVideoFiles({ database, files: media.files }),
        withClipWriting: createKeyedMutex(),
        prepare: ({ accountId, settings: own }) => ({
          analyse: createAnalyseFrame(analyseDeps, accountId, own),
          observer: observeStream(own),
          isMasked: isMaskedIn(own),
        }),
        onRecorded(event) {
          metrics.countEvent(event.kind);
          for (const listener of listeners) listener(event);
        },
      })
    : null;
  if (supervisor !== null) metrics.watchStreams(supervisor.states);
  return {
    previews /** Called for each event that this service has written, until the signal fires. */,
    onRecorded: (listener: (event: RecordedEvent) => void) =>
      void listeners.push(listener) /** Null where this service runs none, by its roles. */,
    supervisor,
  };
}

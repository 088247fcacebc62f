import type { FaceDatabase } from '../../faces/face-database.js';
import type { ChooseModel } from '../../recognition/choose-model.js';
import type { FaceNaming } from '../../recognition/name-faces.js';
import { createTaskCalls } from '../../recognition/task-calls.js';
import { readTextLanguages } from '../../recognition/text-languages.js';
import type { Core } from '../../service/core.js';
import { finishDeletions, ledSweep, type Module, sweepCutDeletions } from '../../service/module.js';
import { withKeysHeld } from '../../storage/secrets/key-fence.js';
import { createSecretBox } from '../../storage/secrets/secret-box.js';
import { createCheckReferences } from '../check-references.js';
import type { Media } from '../media.js';
import { createStreamHosts } from '../sources/stream-hosts.js';
import type { StreamStore } from '../stream-store.js';
import { createVideoFiles } from '../video-files.js';
import { createVideoDeletion } from './deletion.js';
import { forgetPeopleInVideos } from './forget-people.js';
import { createVideoQuota } from './video-quota.js';
import { createVideoStore, type VideoStore } from './video-store.js';
import { createVideos } from './videos.js';
import { fetchFile } from './work/fetch-file.js';
import { createVideoJob } from './work/video-job.js';

export interface VideosModule extends Module {
  readonly videoStore: VideoStore;
}

interface VideosModuleDeps {
  readonly media: Media;
  readonly streamStore: Pick<StreamStore, 'frameQuota'>;
  readonly chooseModel: ChooseModel;
  readonly faceNaming: FaceNaming;
  readonly faces: Pick<FaceDatabase, 'people' | 'perceptions'>;
}

/** Video files that are uploaded or fetched, and the work on them. */
export async function openVideosModule(core: Core, deps: VideosModuleDeps): Promise<VideosModule> {
  const { database, clock, settings, jobs, builtinModels, runner, spool, logger } = core;
  const { media, faces, chooseModel, faceNaming, streamStore } = deps;
  const keys = await core.installationKeys();
  const secretBox = createSecretBox(keys);
  const quota = createVideoQuota({ database, disk: core.disk, limits: settings });
  const deletion = createVideoDeletion({ database, clock, media });
  const videos = createVideos({
    ...{ database, clock, jobs, media, quota, secretBox },
    sealing: withKeysHeld(database, keys),
    checkReferences: createCheckReferences({ ...deps, ...faces }),
    limits: settings,
  });
  const fetching = {
    ...{ database, media, quota, secretBox, maxBytes: settings.videoMaxBytes },
    reach: createStreamHosts(settings),
  };
  const work = createVideoJob({
    ...{ database, clock, videos, media, runner, spool, settings, logger },
    frameQuota: streamStore.frameQuota,
    videoFiles: createVideoFiles({ database, files: media.files }),
    fetchFile: (job, control) => fetchFile(fetching, job, control),
    analysing: {
      calls: createTaskCalls({ ...core, faceChain: settings.faceChain }),
      ...{ chooseModel, faceNaming, maxPixels: settings.maxPixels },
      generalModels: builtinModels.defaults.general,
      usualLanguages: readTextLanguages(settings.textLanguages),
    },
  });
  return {
    kinds: [work],
    videoStore: createVideoStore({ database, videos, deletion, files: media.files, people: faces.people }),
    sweeps: [
      ledSweep('expired-videos', (fenced) => deletion.hideExpired(fenced)),
      sweepCutDeletions('cut-deletions-of-videos', deletion),
      ledSweep('people-in-videos', (fenced) => forgetPeopleInVideos(fenced, media)),
    ],
    component: finishDeletions('videos', deletion),
  };
}

import { rolesOf } from '../../core/roles.js';
import { parseNetworks } from '../../intake/public-address.js';
import type { Core } from '../../service/core.js';
import { ledSweep, type Module } from '../../service/module.js';
import { withKeysHeld } from '../../storage/secrets/key-fence.js';
import { createSecretBox } from '../../storage/secrets/secret-box.js';
import type { Media } from '../media.js';
import type { RunningStreams } from '../running/open-running.js';
import type { StreamStore } from '../stream-store.js';
import { checkOutput } from './create-sender.js';
import { createFrigateStore, type FrigateStore } from './frigate/frigate-store.js';
import { usualRetryTimes } from './output-worker.js';
import { createOutputWorkers } from './output-workers.js';
import { createStreamOutputs, type StreamOutputs } from './outputs.js';
import type { SenderDeps } from './sender.js';
import { createTestOutput, type TestOutput } from './test-output.js';

export interface OutputsModule extends Module {
  readonly streamOutputs: StreamOutputs;
  readonly testStreamOutput: TestOutput;
  readonly frigateStore: FrigateStore;
}

interface OutputsModuleDeps {
  readonly media: Pick<Media, 'read'>;
  readonly streamStore: Pick<StreamStore, 'tracks'>;
  readonly runningStreams: Pick<RunningStreams, 'onRecorded'>;
}

/** Hidden outputs whose broker was not reached by then are deleted all the same. */
const removalMs = 600_000;

/** Where events of streams are sent: webhooks and MQTT. */
export async function openOutputsModule(
  core: Core,
  { media, streamStore, runningStreams }: OutputsModuleDeps,
): Promise<OutputsModule> {
  const { database, clock, settings, logger, mode } = core;
  const keys = await core.installationKeys();
  const secretBox = createSecretBox(keys);
  const senderDeps: SenderDeps = {
    allowedNetworks: parseNetworks('deliveryAllowedNetworks', settings.deliveryAllowedNetworks),
  };
  const workers = createOutputWorkers({
    ...senderDeps,
    ...{ database, clock, media, secretBox, logger },
    onRecorded: runningStreams.onRecorded,
    leases: core.leases.rows,
    metrics: core.metrics.streams,
    retry: { ...usualRetryTimes, giveUpAfterMs: settings.dropRetryHours * 3_600_000 },
  });
  core.metrics.streams.watchOutputs(workers.figures);
  const openedMs = clock();
  const roles = rolesOf(settings);
  const isWorking = mode === 'service' && (roles.has('jobs') || roles.has('streams'));
  const streamOutputs = createStreamOutputs({
    ...{ database, clock, secretBox, checkOutput },
    sealing: withKeysHeld(database, keys),
    onChanged: () => {
      if (isWorking) workers.look();
    },
  });
  return {
    streamOutputs,
    testStreamOutput: createTestOutput({ ...senderDeps, clock, streamOutputs }),
    frigateStore: createFrigateStore({
      database,
      tracks: streamStore.tracks,
      topicPrefix: streamOutputs.frigatePrefix,
    }),
    sweeps: [
      // Not before there was time to reach the broker since this service runs.
      ledSweep('deleted-stream-outputs', async () =>
        clock() - openedMs < removalMs ? 0 : streamOutputs.finishRemovals(removalMs),
      ),
    ],
    component: {
      name: 'stream outputs',
      async start() {
        if (isWorking) workers.start();
      },
      isReady: () => true,
      stop: () => workers.stop(),
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient } from '@lynceus/client';
import { startMosquitto, subscribe } from '#server/streams/outputs/fixtures/mosquitto.js';
import { between } from '../kill/chance.js';
import { type Lives, withLives } from '../kill/lives.js';
import { findingsOf, playRounds } from '../kill/rounds.js';
import { untilTrue } from '../kill/until.js';
import { startSingleService } from '../single-service.js';
import { startSignCamera } from './camera.js';
import { readKept } from './check.js';
import { type Killed, killBelow, killed } from './faults.js';
import { startHook } from './hook.js';

export interface KillTrial {
  /** Descriptions of broken guarantees. */
  readonly findings: readonly string[];
  readonly events: number;
  /** Events that came once more, after an answer that was lost. */
  readonly repeated: { readonly webhook: number; readonly broker: number };
}

export interface KillTrialOptions {
  /** How often each is killed. */
  readonly rounds: number;
  readonly log: (line: string) => void;
}

/** Until events come again after a kill. */
const recoversWithinMs = 90_000;
const settings = {
  LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
  LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
};

/**
 * Kills something again and again amid the work of a stream: no event is lost, each output gets them in order, files and rows agree, and
 * availability is right. Ends with the first finding.
 */
export async function killAmidStream(options: KillTrialOptions): Promise<KillTrial> {
  const outside = await startOutside();
  try {
    return await withLives(settings, (lives) => killInTurns(lives, outside, options), startSingleService);
  } finally {
    await outside.stop();
  }
}

/** The camera of the stream, a webhook and a broker that its events go to, and a subscriber of the broker. */
async function startOutside() {
  const [camera, hook, broker] = [await startSignCamera(), await startHook(), await startMosquitto()];
  const listener = await subscribe(broker.url, ['lynceus/#']);
  return {
    ...{ camera, hook, broker },
    heard: () => listener.at('lynceus/road/events').map((text) => Number(JSON.parse(text).seq)),
    /** What the broker last said of the service: `online` or `offline`. */
    availability: () => listener.last().get('lynceus/available'),
    async stop() {
      await listener.close();
      await Promise.all([camera.stop(), hook.stop(), broker.stop()]);
    },
  };
}

type Outside = Awaited<ReturnType<typeof startOutside>>;

async function startStream({ url, key }: Lives['service'], { camera, hook, broker }: Outside): Promise<void> {
  const client = createLynceusClient({ baseUrl: url, apiKey: key });
  await client.streamOutputs.create({ name: 'hook', settings: { kind: 'webhook', url: hook.url } });
  await client.streamOutputs.create({ name: 'broker', settings: { kind: 'mqtt', url: broker.url } });
  await client.streams.create({
    name: 'road',
    source: { kind: 'rtsp', address: camera.address },
    settings: { clips: true, clip_seconds_before: 1, clip_seconds_after: 1, motion_gate: false },
  });
}

async function killInTurns(
  lives: Lives,
  outside: Outside,
  { rounds: roundsOfEach, log }: KillTrialOptions,
): Promise<KillTrial> {
  const { hook, availability, heard } = outside;
  const { taken } = hook;
  await startStream(lives.service, outside);
  const within = async (holds: () => boolean, what: string): Promise<readonly string[]> =>
    (await untilTrue(holds, recoversWithinMs, 200))
      ? []
      : [`not within ${recoversWithinMs / 1000} s: ${what}`];

  const late = await within(() => taken.length > 2, 'the first events');
  const count = late.length > 0 ? 0 : roundsOfEach * killed.length;
  const play = async (index: number) => {
    const victim = killed[index % killed.length] ?? 'ffmpeg';
    await sleep(between(0, 5000));
    const before = Math.max(0, ...taken);
    const findings = [
      ...(await kill(victim, lives, outside, () =>
        within(() => availability() === 'offline', 'offline after kill -9'),
      )),
      ...(await within(() => Math.max(0, ...taken) > before + 1, `events after ${victim} was killed`)),
      ...(await within(() => availability() === 'online', `online after ${victim} was killed`)),
    ];
    const kept = await readKept(lives.dataDir, taken);
    const line =
      `${victim}: ${kept.events} events of ${kept.tracks} tracks, ${kept.files} files, ${kept.filesWithoutRow} for the sweep; ` +
      `${taken.length} received, ${repeatedIn(taken)} twice`;
    return { line, findings: [...findings, ...kept.findings] };
  };
  const rounds = await playRounds(count, log, play, true);

  const last = await readKept(lives.dataDir, taken);
  const delivered = Math.min(...last.deliveredSeqs);
  const missing = taken.filter((seq) => seq <= delivered && !heard().includes(seq));
  const unheard =
    missing.length === 0 ? [] : [`the broker never got ${missing.length} events, such as ${missing[0]}`];
  return {
    findings: [...late, ...findingsOf(rounds), ...unheard],
    events: last.events,
    repeated: { webhook: repeatedIn(taken), broker: repeatedIn(heard()) },
  };
}

/** Resolves when what was killed runs again; the service starts only after `whenGone`. Returns what was wrong. */
async function kill(
  victim: Killed,
  lives: Lives,
  { camera, broker }: Outside,
  whenGone: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  switch (victim) {
    case 'the service': {
      const { survivors, left } = await lives.crash('the service alone', whenGone);
      return [...survivors, ...left];
    }
    case 'ffmpeg':
      return killBelow(lives.service.pid, 'ffmpeg', victim);
    case 'an inference process':
      return killBelow(lives.service.pid, 'runtime', victim);
    case 'the camera':
      await camera.restart();
      return [];
    case 'the broker':
      await broker.kill();
      await sleep(1000);
      await broker.start();
      return [];
  }
}

const repeatedIn = (seqs: readonly number[]) => seqs.length - new Set(seqs).size;

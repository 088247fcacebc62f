import { Counter, Gauge, type Registry } from 'prom-client';

/** What an output of stream events is doing at present. */
export interface OutputFigures {
  /** The kind of its receiver. */
  readonly kind: 'webhook' | 'mqtt';
  readonly isFailing: boolean;
  /** Events that it has not looked at yet. */
  readonly waiting: number;
}

/** No stream and no account is named: their number has no limit. */
export type StreamMetrics = ReturnType<typeof createStreamMetrics>;

const states = ['connecting', 'running', 'frozen', 'away', 'resting', 'waiting', 'stopped'] as const;
const receivers = ['webhook', 'mqtt'] as const;

export function createStreamMetrics(registers: Registry[]) {
  let readStates = (): readonly string[] => [];
  let readOutputs = (): readonly OutputFigures[] => [];
  const frames = new Counter({
    name: 'lynceus_stream_frames_total',
    help: 'Frames of live streams: analysed, or left_out because the machine was busy.',
    labelNames: ['outcome'],
    registers,
  });
  const events = new Counter({
    name: 'lynceus_stream_events_total',
    help: 'Events of live streams that were stored, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const restarts = new Counter({
    name: 'lynceus_stream_decoder_restarts_total',
    help: 'Starts of a decoder of live streams after its first, attempts to reach a camera that is away included.',
    registers,
  });
  const deliveries = new Counter({
    name: 'lynceus_stream_output_events_total',
    help: 'Events sent to outputs, by kind of receiver: delivered, failed (an attempt, which is repeated) or given_up.',
    labelNames: ['receiver', 'outcome'],
    registers,
  });
  new Gauge({
    name: 'lynceus_streams',
    help: 'Live streams that this service runs, by state; stopped: also those that it cannot run for want of ffmpeg; waiting: those of all accounts that no service has room for.',
    labelNames: ['state'],
    registers,
    collect() {
      const found = readStates();
      for (const state of states) this.set({ state }, found.filter((each) => each === state).length);
    },
  });
  new Gauge({
    name: 'lynceus_stream_outputs',
    help: 'Outputs whose events this service sends, by kind of receiver and state: well or failing.',
    labelNames: ['receiver', 'state'],
    registers,
    collect() {
      for (const receiver of receivers) {
        const found = readOutputs().filter(({ kind }) => kind === receiver);
        const failing = found.filter(({ isFailing }) => isFailing).length;
        this.set({ receiver, state: 'well' }, found.length - failing);
        this.set({ receiver, state: 'failing' }, failing);
      }
    },
  });
  new Gauge({
    name: 'lynceus_stream_output_waiting_events',
    help: 'Events that outputs have not come to yet, those included that an output leaves out, by kind of receiver.',
    labelNames: ['receiver'],
    registers,
    collect() {
      for (const receiver of receivers) {
        const found = readOutputs().filter(({ kind }) => kind === receiver);
        this.set(
          { receiver },
          found.reduce((sum, { waiting }) => sum + waiting, 0),
        );
      }
    },
  });
  return {
    /** Frames of streams: analysed, or left out though they were due. */
    countFrames: (outcome: 'analysed' | 'left_out', count: number) => frames.inc({ outcome }, count),
    countEvent: (kind: string) => events.inc({ kind }),
    countDecoderRestart: () => restarts.inc(),
    /** Attempts to deliver an event that succeeded or failed, and events that were given up. */
    countOutput: (receiver: OutputFigures['kind'], outcome: 'delivered' | 'failed' | 'given_up') =>
      deliveries.inc({ receiver, outcome }),
    /** @param read states of the streams that this service runs */
    watchStreams(read: () => readonly string[]) {
      readStates = read;
    },
    /** @param read outputs whose events this service sends */
    watchOutputs(read: () => readonly OutputFigures[]) {
      readOutputs = read;
    },
  };
}

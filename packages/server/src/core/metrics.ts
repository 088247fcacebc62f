import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createStreamMetrics } from './stream-metrics.js';

/** What the gauges about the face index are read from, at each scrape. */
interface FaceIndexFigures {
  readonly galleries: number;
  readonly faces: number;
  readonly bytes: number;
}

/** What the gauges about inference are read from, at each scrape. */
interface InferenceStats {
  readonly queued: Readonly<Record<string, number>>;
  readonly processes: readonly { readonly state: string; readonly rssBytes: number }[];
  readonly crashed: number;
  readonly recycled: number;
  readonly outgrown: number;
  readonly timeouts: number;
}

interface FinishedRequest {
  /** The pattern of a route, never a path that a client chose: each value is a series for ever. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** The code of the error that it was refused with. */
  readonly error: string | undefined;
}

export type SweepMetrics = ReturnType<typeof createSweepMetrics>;

export type Metrics = ReturnType<typeof createMetrics>;

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'lynceus_http_requests_total',
    help: 'Requests by route and HTTP status; 499: the connection closed before the answer.',
    labelNames: ['route', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: 'lynceus_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: secondsBuckets,
    registers,
  });
  const refusals = new Counter({
    name: 'lynceus_http_refusals_total',
    help: 'Requests that were answered with an error, by its code.',
    labelNames: ['code'],
    registers,
  });
  const commitUnits = new Histogram({
    name: 'lynceus_database_commit_units',
    help: 'Callers whose changes shared one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  });
  const commitTime = new Histogram({
    name: 'lynceus_database_commit_seconds',
    help: 'Time of one commit, its sync to disk included.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const queueWait = new Histogram({
    name: 'lynceus_inference_queue_wait_seconds',
    help: 'Time that a job waited for an inference process.',
    labelNames: ['priority'],
    buckets: secondsBuckets,
    registers,
  });
  const threadCrashes = new Counter({
    name: 'lynceus_database_thread_crashes_total',
    help: 'Database threads that crashed.',
    registers,
  });
  return {
    /** Prometheus text. */
    render: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
    observeRequest({ route, status, durationMs, error }: FinishedRequest) {
      requests.inc({ route, status: String(status) });
      latency.observe({ route }, durationMs / 1000);
      if (error !== undefined) refusals.inc({ code: error });
    },
    observeCommit(units: number, durationMs: number) {
      commitUnits.observe(units);
      commitTime.observe(durationMs / 1000);
    },
    countDatabaseThreadCrash: () => threadCrashes.inc(),
    /** Event-loop delay, memory and the rest of Node's own; costs a timer, so only when metrics are scraped. */
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    watchInference: (read: () => InferenceStats) => watchInference(registers, read),
    /** How long a job waited for an inference process, from its acceptance. */
    observeQueueWait: (priority: string, durationMs: number) =>
      queueWait.observe({ priority }, durationMs / 1000),
    faceIndex: createFaceIndexMetrics(registers),
    sweeps: createSweepMetrics(registers),
    streams: createStreamMetrics(registers),
  };
}

function watchInference(registers: Registry[], read: () => InferenceStats): void {
  new Gauge({
    name: 'lynceus_inference_queue_jobs',
    help: 'Jobs that wait for an inference process.',
    labelNames: ['priority'],
    registers,
    collect() {
      for (const [priority, jobs] of Object.entries(read().queued)) this.set({ priority }, jobs);
    },
  });
  new Gauge({
    name: 'lynceus_inference_processes',
    help: 'Inference processes by what they do.',
    labelNames: ['state'],
    registers,
    collect() {
      const { processes } = read();
      for (const state of ['starting', 'idle', 'busy']) {
        this.set({ state }, processes.filter((process) => process.state === state).length);
      }
    },
  });
  new Gauge({
    name: 'lynceus_inference_resident_bytes',
    help: 'Resident memory of all inference processes.',
    registers,
    collect() {
      this.set(read().processes.reduce((sum, process) => sum + process.rssBytes, 0));
    },
  });
  new Gauge({
    name: 'lynceus_inference_process_ends',
    help: 'Inference processes that ended since the start, by cause.',
    labelNames: ['cause'],
    registers,
    collect() {
      const { crashed, recycled, outgrown, timeouts } = read();
      this.set({ cause: 'crashed' }, crashed);
      this.set({ cause: 'recycled' }, recycled);
      this.set({ cause: 'memory' }, outgrown);
      this.set({ cause: 'timeout' }, timeouts);
    },
  });
}

function createFaceIndexMetrics(registers: Registry[]) {
  const searches = new Histogram({
    name: 'lynceus_face_index_search_seconds',
    help: 'Time of one search of the face index, waiting for a gallery to be read included.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const loads = new Histogram({
    name: 'lynceus_face_index_load_seconds',
    help: 'Time of reading one gallery from the database as a whole.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const loaded = new Histogram({
    name: 'lynceus_face_index_load_faces',
    help: 'Faces of one gallery that was read from the database as a whole.',
    buckets: [10, 100, 1000, 10_000, 100_000, 1_000_000],
    registers,
  });
  return {
    observeSearch: (durationMs: number) => searches.observe(durationMs / 1000),
    observeLoad(faces: number, durationMs: number) {
      loads.observe(durationMs / 1000);
      loaded.observe(faces);
    },
    watch(read: () => FaceIndexFigures) {
      const gauge = (what: keyof FaceIndexFigures, help: string) =>
        new Gauge({
          name: `lynceus_face_index_${what}`,
          help,
          registers,
          collect() {
            this.set(read()[what]);
          },
        });
      gauge('galleries', 'Galleries in the memory of the face index: perceptions, by embedder.');
      gauge('faces', 'Faces in the memory of the face index.');
      gauge('bytes', 'Bytes of vectors in the memory of the face index.');
    },
  };
}

function createSweepMetrics(registers: Registry[]) {
  const runs = new Counter({
    name: 'lynceus_sweep_runs_total',
    help: 'Runs of each sweep by outcome: done, failed, blocked (an operator is asked) or suspended.',
    labelNames: ['sweep', 'outcome'],
    registers,
  });
  const items = new Counter({
    name: 'lynceus_quarantine_items_total',
    help: 'Files that no row names, by what was done: quarantined, returned (a row names them again) or purged.',
    labelNames: ['store', 'action'],
    registers,
  });
  const blocked = new Gauge({
    name: 'lynceus_sweep_blocked',
    help: '1 while the sweep of a store waits for an operator, since it found too many files without a row.',
    labelNames: ['store'],
    registers,
  });
  const suspended = new Gauge({
    name: 'lynceus_sweeps_suspended',
    help: '1 while all sweeps are suspended, as after a restore.',
    registers,
  });
  return {
    countRun: (sweep: string, outcome: string) => runs.inc({ sweep, outcome }),
    countItems: (store: string, action: 'quarantined' | 'returned' | 'purged', count: number) =>
      items.inc({ store, action }, count),
    setBlocked: (store: string, isBlocked: boolean) => blocked.set({ store }, isBlocked ? 1 : 0),
    setSuspended: (isSuspended: boolean) => suspended.set(isSuspended ? 1 : 0),
  };
}

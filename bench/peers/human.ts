import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { loadPeer, resolvePeer } from './load-peer.js';

/** What is used of @vladmandic/human; its own types need those of browsers. */
interface Human {
  readonly tf: {
    env(): { getAsync(flag: 'WASM_HAS_MULTITHREAD_SUPPORT'): Promise<boolean | number> };
    tensor(values: Uint8Array, shape: readonly number[], type: 'int32'): object;
    dispose(tensor: object): void;
  };
  load(): Promise<void>;
  detect(input: object): Promise<{ readonly face: readonly HumanFace[] }>;
}
interface HumanFace {
  /** x, y, width, height. */
  readonly box: readonly [number, number, number, number];
  readonly embedding?: readonly number[];
}

export interface HumanAnswer {
  readonly embedding: Float32Array | null;
  readonly faces: number;
}

export interface HumanRunner {
  /** Whether its runtime computes on several threads: in Node it does not. */
  readonly isThreaded: boolean;
  ask(bytes: Uint8Array): Promise<HumanAnswer>;
}

/**
 * @vladmandic/human on tfjs-wasm with its own models: detection and embedding of faces, and nothing else. Images are
 * decoded as in the engine, on one thread.
 */
export async function withHuman<T>(work: (human: HumanRunner) => Promise<T>): Promise<T> {
  const folder = dirname(dirname(resolvePeer('@vladmandic/human')));
  const server = createServer((request, response) => {
    readFile(join(folder, 'models', basename(request.url ?? ''))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    const { Human } = loadPeer<{ Human: new (config: object) => Human }>(
      join(folder, 'dist', 'human.node-wasm.js'),
    );
    const off = { enabled: false };
    const human = new Human({
      backend: 'wasm',
      wasmPath: `${dirname(resolvePeer('@tensorflow/tfjs-backend-wasm'))}/`,
      modelBasePath: `http://127.0.0.1:${port}/`,
      cacheSensitivity: 0,
      debug: false,
      filter: off,
      gesture: off,
      body: off,
      hand: off,
      object: off,
      face: {
        enabled: true,
        mesh: off,
        iris: off,
        emotion: off,
        antispoof: off,
        liveness: off,
        description: { enabled: true },
      },
    });
    await human.load();
    const isThreaded = Boolean(await human.tf.env().getAsync('WASM_HAS_MULTITHREAD_SUPPORT'));
    sharp.concurrency(1);
    return await work({ isThreaded, ask: (bytes) => askHuman(human, bytes) });
  } finally {
    server.close();
  }
}

async function askHuman(human: Human, bytes: Uint8Array): Promise<HumanAnswer> {
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const tensor = human.tf.tensor(data, [1, info.height, info.width, 3], 'int32');
  const { face } = await human.detect(tensor);
  human.tf.dispose(tensor);
  const [largest] = [...face].sort((a, b) => b.box[2] * b.box[3] - a.box[2] * a.box[3]);
  return { embedding: unit(largest?.embedding), faces: face.length };
}

function unit(values: readonly number[] | undefined): Float32Array | null {
  if (values === undefined || values.length === 0) return null;
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

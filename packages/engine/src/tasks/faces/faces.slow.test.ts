import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCatalog } from '../../catalog/catalog.js';
import type { ModelRef } from '../../catalog/manifest.js';
import { defaultModelsDir } from '../../catalog/models-dir.js';
import { createProcessRunner, type ProcessRunner } from '../../runtime/process-runner.js';
import { type FaceChainName, faceChains, modelsOfFaceChain } from './chains.js';
import type { FacesResult } from './face.js';
import type { FacesOptions } from './faces.js';
import { drawFaces, drawnPoints } from './fixtures/drawn-face.js';

const modelsDir =
  process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
const catalog = await openCatalog({ modelsDir });
const chains = ['accurate', 'permissive'] as const;
const missing = chains
  .flatMap((chain) => Object.values(faceChains[chain].models))
  .filter((id) => !catalog.installed(id));
if (missing.length > 0) {
  if (process.env['CI'] === 'true') throw new Error('the models for faces are not installed');
  console.warn('skipped: the models for faces are not installed (npm run lynceus -- models install)');
}

function refOf(id: string): ModelRef {
  const ref = catalog.installed(id);
  if (!ref) throw new Error(`${id} is not installed`);
  return ref;
}

describe.skipIf(missing.length > 0)('faces', () => {
  let runner: ProcessRunner;
  beforeAll(async () => {
    runner = createProcessRunner({ processes: 1, queueMax: 10, jobTimeoutMs: 60_000, maxRssBytes: 2 ** 32 });
    await runner.start();
  });
  afterAll(() => runner.close());

  async function look(
    bytes: Buffer,
    chain: FaceChainName = 'accurate',
    choice: Partial<FacesOptions> = {},
  ): Promise<FacesResult> {
    const { mirrors } = faceChains[chain];
    const options = {
      minScore: 0.8,
      embed: true,
      liveness: false,
      mirrors,
      models: modelsOfFaceChain(chain, refOf),
    };
    const { results } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits: { maxPixels: 50_000_000 },
        tasks: [{ task: 'faces', options: { ...options, ...choice } }],
      },
      { priority: 'interactive' },
    );
    if (!results.faces) throw new Error('no result');
    return results.faces;
  }

  test.each(chains)(
    '%s: a drawn face is found once, with its points and an embedding of length 1',
    async (chain) => {
      const at = { x: 300, y: 250, unit: 8 };
      const { faces, embedder } = await look(await drawFaces(640, 480, [at]), chain);
      expect(faces).toHaveLength(1);
      expect(embedder?.id).toBe(faceChains[chain].models.embedder);
      for (const face of faces) {
        expect(face.score).toBeGreaterThan(0.8);
        expect(face.box.xMin).toBeLessThan(at.x);
        expect(face.box.xMax).toBeGreaterThan(at.x);
        for (const [index, [x, y]] of drawnPoints.entries()) {
          const point = face.points[index] ?? { x: 0, y: 0 };
          expect(Math.hypot(point.x - (at.x + at.unit * x), point.y - (at.y + at.unit * y))).toBeLessThan(16);
        }
        expect(Math.hypot(...(face.embedding ?? []))).toBeCloseTo(1, 4);
        expect(face.liveness).toBeUndefined();
        expect(face.quality.problems).toEqual([]);
      }
    },
  );

  test('a tilted head is returned with its tilt', async () => {
    const { faces } = await look(await drawFaces(640, 480, [{ x: 300, y: 240, unit: 7, tiltDeg: 25 }]));
    expect(faces).toHaveLength(1);
    expect(Math.abs((faces[0]?.quality.rollDeg ?? 0) - 25)).toBeLessThan(6);
  });

  test('a face that the border of the image cuts is found', async () => {
    const whole = await drawFaces(640, 640, [{ x: 320, y: 320, unit: 14 }]);
    // From eyebrows to chin, and from ear to ear.
    const cut = await sharp(whole).extract({ left: 185, top: 190, width: 270, height: 320 }).png().toBuffer();
    expect((await look(cut)).faces).toHaveLength(1);
  });

  test('an image that was cut to a face is one where none is found, with points within it', async () => {
    const whole = await drawFaces(640, 640, [{ x: 320, y: 320, unit: 14 }]);
    // The eyes alone, in which no face is found.
    const cut = await sharp(whole).extract({ left: 250, top: 260, width: 140, height: 60 }).png().toBuffer();
    expect((await look(cut)).faces).toEqual([]);
    const { faces } = await look(cut, 'accurate', { isCropped: true });
    expect(faces).toMatchObject([
      { score: 1, box: { xMin: 0, yMin: 0, xMax: 140, yMax: 60 }, embedding: expect.any(Float32Array) },
    ]);
    // What is found counts.
    const found = await look(whole, 'accurate', { isCropped: true });
    expect(found.faces).toMatchObject([{ box: { xMin: expect.toSatisfy((x: number) => x > 100) } }]);
  });

  test('an embedding of the permissive chain is the same of a mirrored face', async () => {
    const bytes = await drawFaces(640, 480, [{ x: 300, y: 250, unit: 8, tiltDeg: 12 }]);
    const flopped = await sharp(bytes).flop().png().toBuffer();
    const cosine = async (mirrors: boolean) => {
      const [one] = (await look(bytes, 'permissive', { mirrors })).faces;
      const [other] = (await look(flopped, 'permissive', { mirrors })).faces;
      return [...(one?.embedding ?? [])].reduce(
        (sum, value, at) => sum + value * (other?.embedding?.[at] ?? 0),
        0,
      );
    };
    const [mirrored, plain] = [await cosine(true), await cosine(false)];
    expect(mirrored).toBeGreaterThan(plain);
    expect(mirrored).toBeGreaterThan(0.995);
  });

  test('several faces are returned, the largest first', async () => {
    const positions = [
      { x: 150, y: 240, unit: 4 },
      { x: 460, y: 240, unit: 7 },
    ];
    const { faces } = await look(await drawFaces(640, 480, positions));
    expect(faces).toHaveLength(2);
    expect(faces[0]?.box.xMin).toBeGreaterThan(300);
  });

  test('a small face in a large image is found, unless only larger ones are looked for', async () => {
    const bytes = await drawFaces(3000, 2000, [{ x: 1990, y: 700, unit: 1.1 }]);
    const { faces } = await look(bytes);
    expect(faces).toHaveLength(1);
    expect(Math.abs((faces[0]?.box.xMin ?? 0) - 1978)).toBeLessThan(8);
    expect(faces[0]?.quality.problems).toContain('too-small');
    expect((await look(bytes, 'accurate', { minFacePx: 64 })).faces).toEqual([]);
  });

  test('with regions only faces in them are found, each once, with the same embedding', async () => {
    const bytes = await drawFaces(1280, 720, [
      { x: 300, y: 240, unit: 5 },
      { x: 900, y: 300, unit: 5 },
    ]);
    const around = { xMin: 750, yMin: 130, xMax: 1050, yMax: 470 };
    const within = { xMin: 780, yMin: 150, xMax: 1100, yMax: 500 };
    const outside = { xMin: 2000, yMin: 0, xMax: 2100, yMax: 100 };
    const whole = await look(bytes);
    expect(whole.faces).toHaveLength(2);
    const { faces } = await look(bytes, 'accurate', { regions: [around, outside, within] });
    expect(faces).toHaveLength(1);
    expect(faces[0]?.box.xMin).toBeGreaterThan(700);
    const same = whole.faces.find(({ box }) => box.xMin > 700)?.embedding ?? [];
    const cosine = [...same].reduce((sum, value, at) => sum + value * (faces[0]?.embedding?.[at] ?? 0), 0);
    expect(cosine).toBeGreaterThan(0.9);
    expect((await look(bytes, 'accurate', { regions: [] })).faces).toEqual([]);
  });

  test('darkness and blur are reported as problems', async () => {
    const bright = await drawFaces(640, 480, [{ x: 300, y: 250, unit: 8 }]);
    const dark = await look(await sharp(bright).linear(0.25, 0).png().toBuffer());
    expect(dark.faces[0]?.quality.problems).toContain('too-dark');
    const soft = await look(await sharp(bright).blur(8).png().toBuffer());
    expect(soft.faces[0]?.quality.problems).toContain('blurred');
  });

  test('an image of noise has no faces, and neither has one of a single pixel', async () => {
    const background = '#808080';
    const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
    const noisy = await sharp({ create: { width: 800, height: 600, channels: 3, background, noise } })
      .png()
      .toBuffer();
    expect((await look(noisy)).faces).toEqual([]);
    const one = await sharp({ create: { width: 1, height: 1, channels: 3, background } })
      .png()
      .toBuffer();
    expect((await look(one)).faces).toEqual([]);
  });

  test('only requested results are present', async () => {
    const bytes = await drawFaces(640, 480, [{ x: 300, y: 250, unit: 8 }]);
    const plain = await look(bytes, 'accurate', { embed: false });
    expect(plain.embedder).toBeNull();
    expect(plain.faces[0]?.embedding).toBeUndefined();
    const live = await look(bytes, 'accurate', { liveness: true });
    expect(live.faces[0]?.liveness).toBeGreaterThanOrEqual(0);
    expect(live.faces[0]?.liveness).toBeLessThanOrEqual(1);
  });

  test('extremely long and thin images do no harm', async () => {
    const strip = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#808080' } })
        .png()
        .toBuffer();
    expect((await look(await strip(12_000, 3))).faces).toEqual([]);
    expect((await look(await strip(3, 12_000))).faces).toEqual([]);
  });
});

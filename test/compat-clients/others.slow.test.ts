import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { samplePath } from '../support/sample.js';
import { makeClientKey } from './make-client-key.js';
import { python, runProgram } from './run-program.js';

describe.skipIf(!(await haveDefaultModels()))('clients of DOODS and CompreFace', { timeout: 120_000 }, () => {
  test.skipIf(!haveProgram(python, ['-c', 'import requests'], 'python3-requests'))(
    "Home Assistant, CompreFace's Python SDK, double-take and Viseron read what they need",
    async () => {
      const dir = await mkdtemp(join(tmpdir(), 'lynceus-clients-'));
      onTestFinished(() => rm(dir, { recursive: true, force: true }));
      await writeFile(join(dir, 'face.png'), await drawFaces(320, 240, [{ x: 160, y: 120, unit: 5 }]));
      const service = await startService({ LYNCEUS_RECOGNITION_PARTS: 'objects' });
      onTestFinished(() => service.stop());
      const read = await runProgram('other_clients.py', {
        BASE: service.url,
        DOODS_KEY: await makeClientKey(service, { protocol: 'doods' }),
        FACE_KEY: await makeClientKey(service, { protocol: 'compreface' }),
        IMAGE: samplePath,
        FACE: join(dir, 'face.png'),
      });
      expect(read).toEqual({
        home_assistant: [['stop sign', true, true, true]],
        home_assistant_refused: [401, true],
        compreface_sdk: ['Ada', ['Ada'], 10],
        double_take: [{ name: 'ada', confidence: true, width: true }],
        viseron: [42, 201, ['Ada', 'Grace']],
      });
    },
  );
});

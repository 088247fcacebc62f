import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** A factor whose products with ones are below the smallest normal float, in a process of its own. */
const script = (first: string) => `
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const { writeModel } = await import('${new URL('../../onnx/proto/codec.js', import.meta.url)}');
  const { createSession } = await import('${new URL('./create-session.js', import.meta.url)}');
  const { probeInt8Arithmetic } = await import('${new URL('./probe-int8.js', import.meta.url)}');
  const shape = { dim: [{ dimValue: 4n }] };
  const value = (name) => ({ name, type: { tensorType: { elemType: 1, shape } } });
  const model = {
    irVersion: 8n,
    opsetImport: [{ domain: '', version: 13n }],
    graph: {
      name: 'g',
      node: [{ opType: 'Mul', name: 'n', input: ['x', 'y'], output: ['z'] }],
      input: [value('x'), value('y')],
      output: [value('z')],
    },
  };
  ${first}
  const session = await createSession(writeModel(model), { logSeverityLevel: 4 }, 'native');
  const run = async () => {
    const tensor = (each) => new Tensor('float32', Float32Array.from({ length: 4 }, () => each), [4]);
    const { z } = await session.run({ x: tensor(2 ** -100), y: tensor(2 ** -40) });
    return z.data[0];
  };
  // A thread that was there before.
  await Promise.all(Array.from({ length: 8 }, () => import('node:fs').then((fs) => fs.promises.stat('/'))));
  console.log(JSON.stringify([await run(), await run()]));`;

test.skipIf(process.arch !== 'x64').each([
  ['that opens a graph', ''],
  ['that tests the processor first', 'await probeInt8Arithmetic();'],
])('in a process %s numbers below the smallest normal ones are zero', async (_, first) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    script(first),
  ]);
  expect(JSON.parse(stdout)).toEqual([0, 0]);
});

import { InferenceSession, Tensor } from 'onnxruntime-node';
import { chooseInt8Arithmetic, type Int8Arithmetic, type RunProbe } from './int8-arithmetic.js';
import { probeFiles } from './probe-files.js';
import { withoutDenormals } from './without-denormals.js';

/** The self-test: measures how the CPU runs int8 graphs instead of relying on its name. Takes some milliseconds. */
export function probeInt8Arithmetic(): Promise<Int8Arithmetic> {
  return chooseInt8Arithmetic(runHere);
}

const runHere: RunProbe = async (_model, feeds, form) => {
  const options = {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
  } as const;
  const session = await InferenceSession.create(probeFiles[form], withoutDenormals(options));
  try {
    const tensors = Object.entries(feeds).map(([name, { data, dims }]) => [
      name,
      new Tensor('uint8', data, dims),
    ]);
    const outputs = await session.run(Object.fromEntries(tensors));
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { data }]) => [name, Array.from<unknown, number>(data, Number)]),
    );
  } finally {
    await session.release();
  }
};

import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import type { Value } from '../onnx/graph/value.js';
import type { Model } from '../onnx/proto/model.js';
import { writeClassifier, writeEmbedder } from './classes.js';
import { writeColumns, writeList, writePair, writeRows, writeScoredBoxes } from './detections.js';
import type { UploadPlan } from './plan.js';

/** The shapes that the net's outputs have, by name, for an image of the planned size. */
type OutputDims = ReadonlyMap<string, readonly number[]>;

/** Names of the outputs that a head reads, in order. */
export function outputsOf({ head }: UploadPlan): string[] {
  switch (head.head) {
    case 'pair':
      return [head.boxesOutput, head.scoresOutput];
    case 'list':
      return [head.boxesOutput, head.scoresOutput, head.classesOutput];
    case 'scored-boxes':
      return [head.output, head.classesOutput];
    default:
      return [head.output];
  }
}

/** From the net's outputs (`net_0`, `net_1`, …) to those of its family (`catalog/manifest.ts`). */
export function afterNet(plan: UploadPlan, dims: OutputDims): Model {
  const builder = new GraphBuilder();
  const [first, second, third] = outputsOf(plan).map((name, index) =>
    netOutput(builder, index, dims.get(name)),
  );
  write(builder, plan, [first, second, third]);
  return builder.finish('after');
}

function write(builder: GraphBuilder, plan: UploadPlan, values: readonly (Value | undefined)[]): void {
  const { head } = plan;
  const value = (index: number): Value => {
    const found = values[index];
    if (found === undefined) throw new Error(`the head ${head.head} reads no output ${index}`);
    return found;
  };
  switch (head.head) {
    case 'classifier':
      writeClassifier(builder, value(0), head);
      break;
    case 'embedder':
      writeEmbedder(builder, value(0));
      break;
    case 'columns':
      writeColumns(builder, value(0), head, plan);
      break;
    case 'pair':
      writePair(builder, value(0), value(1), head, plan);
      break;
    case 'list':
      writeList(builder, value(0), value(1), value(2), head, plan);
      break;
    case 'scored-boxes':
      writeScoredBoxes(builder, value(0), value(1), head, plan);
      break;
    case 'rows':
      writeRows(builder, value(0), head, plan);
      break;
  }
}

/** As floats, whatever the net computes in. */
function netOutput(builder: GraphBuilder, index: number, dims: readonly number[] = []): Value {
  const given = builder.input(`net_${index}`, 'float32', dims);
  return builder.node('Cast', [given], { to: 1 }, { type: 'float32', dims });
}

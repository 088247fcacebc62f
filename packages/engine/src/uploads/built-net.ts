import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import type { Value } from '../onnx/graph/value.js';
import type { ImportOptions } from './import-options.js';
import type { Net, NetHints, NetInput } from './net.js';
import { UploadRefused } from './upload-refused.js';

interface Declared {
  readonly height: number | undefined;
  readonly width: number | undefined;
  readonly channels: number | undefined;
  readonly options: ImportOptions;
  readonly hints: NetHints;
}

/** Converters compute with the size of the image, so it must be known before; most files say it. */
const usualSide = 224;

/** A net that a converter writes, with the input floats [1,h,w,channels]. */
export function builtNet(
  format: string,
  { height, width, channels, options, hints }: Declared,
  write: (
    builder: GraphBuilder,
    image: Value,
  ) => readonly { readonly title: string; readonly value: Value }[],
): Net {
  const side = options.input?.height ?? options.input?.width ?? hints.size?.height ?? usualSide;
  const input: NetInput = {
    name: 'net_image',
    type: 1,
    order: 'nhwc',
    channels: channels === 1 ? 1 : 3,
    height: height ?? side,
    width: width ?? options.input?.width ?? options.input?.height ?? hints.size?.width ?? usualSide,
    hasBatch: true,
  };
  const dims = [1, input.height ?? side, input.width ?? side, input.channels];
  if (dims.some((each) => each > 4096) || (channels !== undefined && channels !== 1 && channels !== 3)) {
    throw new UploadRefused(
      `the model takes [${dims.slice(0, 3)},${channels}]; an image [1,height,width,3] is needed`,
    );
  }
  const builder = new GraphBuilder();
  const image = builder.input(input.name, 'float32', dims);
  const outputs = write(builder, image).map(({ title, value }, index) => {
    const name = `net_output_${index}`;
    builder.output(name, value);
    return { name, title };
  });
  return { format, model: builder.finish('net'), input, constants: [], outputs, hints };
}

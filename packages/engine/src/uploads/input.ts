import { elementTypeCodes } from '../onnx/graph/element-type.js';
import type { ImageScale } from '../onnx/recipe.js';
import type { ImportOptions } from './import-options.js';
import type { Net, NetInput } from './net.js';
import type { InputPlan } from './plan.js';
import { UploadRefused } from './upload-refused.js';

/** Usual preprocessing of a family of nets. */
export const scales = {
  bytes: { channels: 'rgb', mean: [0], std: [1] },
  upTo1: { channels: 'rgb', mean: [0], std: [255] },
  around0: { channels: 'rgb', mean: [127.5], std: [127.5] },
  /** Mean and deviation of ImageNet's images, as PyTorch's models expect. */
  imagenet: { channels: 'rgb', mean: [123.675, 116.28, 103.53], std: [58.395, 57.12, 57.375] },
  bgrBytes: { channels: 'bgr', mean: [0], std: [1] },
} as const satisfies Record<string, ImageScale>;

/** Side of images where neither the file nor the user gives one. */
const usualSide = { classifier: 224, embedder: 224, detector: 640, none: undefined } as const;

/** The usual preprocessing of the recognised head; the user's options and the file take precedence. */
export interface UsualInput {
  readonly scale: ImageScale;
  readonly fit: InputPlan['fit'];
  readonly place?: InputPlan['place'];
  readonly fraction?: number;
}

/** Size in pixels of the net's input. */
export function inputSize({ input, hints }: Net, options: ImportOptions): { width: number; height: number } {
  const family = options.family ?? hints.family;
  const side = usualSide[family ?? (hints.ultralytics ? 'detector' : 'none')];
  const width = input.width ?? options.input?.width ?? options.input?.height ?? hints.size?.width ?? side;
  const height = input.height ?? options.input?.height ?? options.input?.width ?? hints.size?.height ?? side;
  if (width === undefined || height === undefined) {
    throw new UploadRefused(
      'the file leaves the size of its image open; give input.width and input.height in pixels, such as 640 and 640',
    );
  }
  for (const [name, own, wish] of [
    ['width', input.width, options.input?.width],
    ['height', input.height, options.input?.height],
  ] as const) {
    if (own !== undefined && wish !== undefined && own !== wish)
      throw new UploadRefused(`the model takes images of ${name} ${own}; the options say ${wish}`);
  }
  if (Math.min(width, height) < 8 || Math.max(width, height) > 4096) {
    throw new UploadRefused(
      `the model takes images of ${width}x${height}; sides of 8 to 4096 pixels are supported`,
    );
  }
  return { width, height };
}

/** Nets that take bytes scale them themselves, or are quantised so that a step is a byte. */
export function byteScale({ type }: NetInput): Omit<ImageScale, 'channels'> | undefined {
  if (type === elementTypeCodes.uint8) return { mean: [0], std: [1] };
  return type === elementTypeCodes.int8 ? { mean: [128], std: [1] } : undefined;
}

export function planInput(net: Net, options: ImportOptions, usual: UsualInput): InputPlan {
  const { hints, input } = net;
  const bytes = byteScale(input);
  const base = { ...(hints.scale ?? usual.scale), ...bytes };
  for (const name of ['mean', 'std'] as const) {
    if (bytes !== undefined && options.input?.[name]?.some((number) => number !== bytes[name][0]))
      throw new UploadRefused(
        `the input ${input.name} takes bytes, which are fed as they are; leave input.${name} out, or export the model with a float32 input`,
      );
  }
  const { channels = input.channels === 1 ? 'grey' : base.channels } = options.input ?? {};
  if ((channels === 'grey') !== (input.channels === 1)) {
    throw new UploadRefused(`the model takes ${input.channels} channel(s), which is not "${channels}"`);
  }
  const perChannel = (list: readonly number[], name: string) => {
    if (list.length === 1 || list.length === input.channels) return [...list];
    if (input.channels === 1) return list.slice(0, 1);
    throw new UploadRefused(`input.${name} has ${list.length} numbers for ${input.channels} channels`);
  };
  return {
    ...inputSize(net, options),
    fit: options.input?.fit ?? hints.fit ?? usual.fit,
    fraction: hints.fraction ?? usual.fraction ?? 1,
    place: usual.place ?? 'centre',
    scale: {
      channels,
      mean: perChannel(options.input?.mean ?? base.mean, 'mean'),
      std: perChannel(options.input?.std ?? base.std, 'std'),
    },
  };
}

import type { ModelImportOptions } from '@lynceus/client';

export const layouts = ['yolov5', 'yolov8', 'yolox', 'detr', 'ssd', 'rows'] as const;
export const fits = ['squash', 'centre', 'letterbox'] as const;
const channels = ['rgb', 'bgr', 'grey'] as const;
const activations = ['none', 'sigmoid', 'softmax', 'softmax-last'] as const;

/** The values of the form: empty where the service detects the option. */
export interface ImportOptionsValues {
  /** A line a class. */
  readonly labels: string;
  readonly layout: string | null;
  readonly threshold: number | string;
  readonly firstClass: number | string;
  readonly fit: string | null;
  readonly channels: string | null;
  readonly activation: string | null;
}

export function fromImportOptions(options: ModelImportOptions): ImportOptionsValues {
  return {
    labels: options.labels?.join('\n') ?? '',
    layout: options.layout ?? null,
    threshold: options.threshold ?? '',
    firstClass: options.first_class ?? '',
    fit: options.input?.fit ?? null,
    channels: options.input?.channels ?? null,
    activation: options.activation ?? null,
  };
}

/** The earlier options, overridden by the form; empty fields of the form remove an option. */
export function toImportOptions(before: ModelImportOptions, values: ImportOptionsValues): ModelImportOptions {
  const labels = values.labels
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const layout = oneOf(layouts, values.layout);
  const fit = oneOf(fits, values.fit);
  const channel = oneOf(channels, values.channels);
  const activation = oneOf(activations, values.activation);
  const input = { ...before.input, fit, channels: channel };
  const options = {
    ...before,
    labels: labels.length > 0 ? labels : undefined,
    layout,
    threshold: values.threshold === '' ? undefined : Number(values.threshold),
    first_class: values.firstClass === '' ? undefined : Number(values.firstClass),
    activation,
    input: Object.values(input).some((value) => value !== undefined) ? input : undefined,
  };
  // JSON leaves out undefined values.
  return JSON.parse(JSON.stringify(options)) as ModelImportOptions;
}

function oneOf<Name extends string>(names: readonly Name[], value: string | null): Name | undefined {
  return names.find((name) => name === value);
}

import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ImportError } from '../../import-error.js';
import { WeightEntry } from '../tfjs/graph-model.js';

/** `model.json` of a TF.js LayersModel, as far as it is read here; configurations are checked layer by layer. */

const InboundNode = Type.Array(Type.Array(Type.Unknown()));
const Layer = Type.Object({
  class_name: Type.String(),
  name: Type.Optional(Type.String()),
  config: Type.Unknown(),
  inbound_nodes: Type.Optional(Type.Array(InboundNode)),
});
export type Layer = Static<typeof Layer>;

const Chain = Type.Union([Type.Array(Layer), Type.Object({ layers: Type.Array(Layer) })]);
const Endpoint = Type.Union([
  Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
  Type.Array(Type.Union([Type.String(), Type.Integer()])),
]);
const Network = Type.Object({
  layers: Type.Array(Layer),
  input_layers: Endpoint,
  output_layers: Endpoint,
});

export interface Chained {
  readonly kind: 'chain';
  readonly layers: readonly Layer[];
}
export interface Networked {
  readonly kind: 'network';
  readonly layers: readonly Layer[];
  /** Names of layers. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface LayersModel {
  readonly root: Layer;
  readonly weightsManifest: readonly { readonly weights: readonly WeightEntry[] }[];
}

const Root = Type.Object({ class_name: Type.String(), config: Type.Unknown() });
const Wrapped = Type.Object({ model_config: Root });
const File = Type.Object({
  modelTopology: Type.Union([Wrapped, Root]),
  weightsManifest: Type.Array(Type.Object({ weights: Type.Array(WeightEntry) })),
});

/** @throws ImportError when it is not the `model.json` of a LayersModel. */
export function readLayersModel(json: unknown): LayersModel {
  if (!Value.Check(File, json)) {
    const [first] = Value.Errors(File, json);
    throw new ImportError(
      `model.json is not that of a TF.js LayersModel: ${first?.instancePath || '/'} ${first?.message ?? ''}`,
    );
  }
  const { modelTopology, weightsManifest } = json;
  return {
    root: 'model_config' in modelTopology ? modelTopology.model_config : modelTopology,
    weightsManifest,
  };
}

/** The layers of a nested model; undefined for a layer without layers inside. */
export function innerModel({ class_name: kind, config }: Layer): Chained | Networked | undefined {
  if (kind === 'Sequential') {
    if (!Value.Check(Chain, config)) throw new ImportError('a Sequential model has no list of layers');
    return { kind: 'chain', layers: 'layers' in config ? config.layers : config };
  }
  if (kind !== 'Model' && kind !== 'Functional') return undefined;
  if (!Value.Check(Network, config))
    throw new ImportError('a functional model lacks layers, inputs or outputs');
  return {
    kind: 'network',
    layers: config.layers,
    inputs: namesIn(config.input_layers),
    outputs: namesIn(config.output_layers),
  };
}

/** `["name", 0, 0]`, or a list of such. */
function namesIn(endpoint: Static<typeof Endpoint>): string[] {
  const [first] = endpoint;
  const list = Array.isArray(first) ? endpoint : [endpoint];
  return list.map((each) => String(Array.isArray(each) ? each[0] : each));
}

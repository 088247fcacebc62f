import { integersIn } from '../../../graph/fold.js';
import { concat, reshape, tile, transpose } from '../../../graph/move.js';
import { axisFromFront } from '../../../graph/shape.js';
import { ImportError } from '../../../import-error.js';
import type { NodeContext, Operator } from '../operator.js';

/** Operators that change a shape and move elements. With a free image size no shape may become a constant. */

export const shapeOf: Operator = (context) => {
  refuseFreeSize(context);
  return context.builder.integers(context.input(0).dims, 'shape');
};

export const reshapeOperator: Operator = (context) => {
  const { builder, input } = context;
  if (input(0).constant === undefined) refuseFreeSize(context);
  return reshape(builder, input(0), integersIn(input(1), 'the new shape'));
};

export const squeeze: Operator = (context) => {
  const { builder, input, attributes } = context;
  const { dims } = input(0);
  const listed = [...attributes.integers('squeeze_dims'), ...attributes.integers('axis')];
  const axes = listed.map((axis) => axisFromFront(axis, dims.length));
  const dropped = (side: number, axis: number) => side === 1 && (axes.length === 0 || axes.includes(axis));
  if (axes.some((axis) => dims[axis] !== 1))
    throw new ImportError(`axis ${axes} of [${dims}] is longer than 1`);
  if (input(0).constant === undefined) refuseFreeSize(context);
  return reshape(
    builder,
    input(0),
    dims.filter((side, axis) => !dropped(side, axis)),
  );
};

export const expandDims: Operator = (context) => {
  const { builder, input } = context;
  const { dims } = input(0);
  const [axis = 0] = integersIn(input(1), 'the axis');
  if (input(0).constant === undefined) refuseFreeSize(context);
  return reshape(builder, input(0), dims.toSpliced(axisFromFront(axis, dims.length + 1), 0, 1));
};

export const pack: Operator = (context) => {
  const { builder, inputs, input, attributes } = context;
  const axis = axisFromFront(attributes.integer('axis', 0), input(0).dims.length + 1);
  if (inputs.some((value) => value.constant === undefined)) refuseFreeSize(context);
  const parts = inputs.map((value) => reshape(builder, value, value.dims.toSpliced(axis, 0, 1)));
  return concat(builder, parts, axis);
};

export const concatV2: Operator = ({ builder, inputs }) => {
  const axis = inputs.at(-1);
  if (axis === undefined) throw new ImportError('its axis is missing');
  return concat(builder, inputs.slice(0, -1), integersIn(axis, 'the axis')[0] ?? 0);
};

export const transposeOperator: Operator = ({ builder, input }) =>
  transpose(builder, input(0), integersIn(input(1), 'the permutation'));

export const tileOperator: Operator = ({ builder, input }) =>
  tile(builder, input(0), integersIn(input(1), 'the repeats'));

export function refuseFreeSize({ builder }: NodeContext): void {
  if (builder.freeSize)
    throw new ImportError('it fixes a shape, but this model is to take images of any size');
}

import type { CalibrationReport, CurveInForce } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { perceptionPath } from './perceptions.js';

/** A curve, or `ownPeople`: the one that the perception's people give. */
export type ChangeCalibrationOptions = CallOptions &
  ({ readonly midpoint: number; readonly slope: number } | { readonly ownPeople: true });

const pathOf = (modelId: number) => `${perceptionPath(modelId)}/calibration`;

/** What a cosine means in a perception. */
export function createCalibration(send: Send) {
  const calls = {
    /** The curve in force, and the one that the perception's people would give, with what it rests on. */
    read: async (modelId: number, options: CallOptions = {}): Promise<CalibrationReport> =>
      ask(send, { method: 'GET', path: pathOf(modelId) }, options),

    /** Sets the perception's own curve; `conflict` when it has too few people for one of theirs. */
    change: async (modelId: number, options: ChangeCalibrationOptions): Promise<CurveInForce> => {
      const { ownPeople, midpoint, slope }: { ownPeople?: true; midpoint?: number; slope?: number } = options;
      const json = ownPeople === undefined ? { midpoint, slope } : { own_people: ownPeople };
      return ask(send, { method: 'PUT', path: pathOf(modelId), json }, options);
    },

    /** Restores the embedder's curve. */
    reset: async (modelId: number, options: CallOptions = {}): Promise<CurveInForce> =>
      ask(send, { method: 'DELETE', path: pathOf(modelId) }, options),
  };
  return checked('calibration', calls, {
    change: [1, { midpoint: 'optional', slope: 'optional', ownPeople: 'optional' }],
  });
}

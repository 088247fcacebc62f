import { type Static, Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import { compareDecisions } from '../compare-decisions.js';
import type { Calibration, Perception } from '../perception.js';
import { CalibrationReport, CurveInForce, toCurveInForce, toProposal } from './calibration-report.js';
import type { FaceDeps } from './deps.js';
import { IdParams } from './fields.js';
import { findPerception, rethrowNoPerception } from './find-perception.js';

const CalibrationInput = exactly({
  midpoint: Type.Optional(
    Type.Number({ minimum: -1, maximum: 1, description: 'a cosine from -1 to 1: its similarity is 0.5' }),
  ),
  slope: Type.Optional(
    // The bounds of what an archive of the perception may hold.
    Type.Number({ exclusiveMinimum: 0, maximum: 1e4, description: 'a number above 0 and at most 10000' }),
  ),
  own_people: Type.Optional(
    Type.Literal(true, { description: 'true, which takes the proposal; or left out' }),
  ),
});
const tags = ['perceptions'];

/** What a cosine means in a perception: the embedder's curve, one fitted to its own people, or a given one. */
export function addCalibrationRoutes(app: ApiScope, { faces }: FaceDeps): void {
  const { perceptions, proposeCalibration } = faces;

  const choose = async (
    accountId: number,
    perception: Perception,
    { midpoint, slope, own_people: ownPeople }: Static<typeof CalibrationInput>,
  ): Promise<Calibration> => {
    if (midpoint !== undefined && slope !== undefined && ownPeople === undefined) return { midpoint, slope };
    if (midpoint === undefined && slope === undefined && ownPeople) {
      return (await proposeCalibration(accountId, perception)).calibration;
    }
    throw new ServiceError('wrong_parameters', 'give midpoint and slope, or own_people alone');
  };

  app.get('/perceptions/:id/calibration', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readCalibration',
      summary: "The curve from cosine to similarity, and the one that the perception's people would give",
      params: IdParams,
      response: { 200: CalibrationReport },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, request.params.id);
      const curve = toCurveInForce(perception);
      try {
        const proposed = await proposeCalibration(accountId, perception);
        const change = compareDecisions(curve.calibration, proposed, perception.decisionSimilarity);
        return { ...curve, proposal: toProposal(proposed, change), reason: null };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
        return { ...curve, proposal: null, reason: error.message };
      }
    },
  });

  app.put('/perceptions/:id/calibration', {
    config: { right: 'change', audit: ['perceptions.calibrate', 'perception'] },
    schema: {
      tags,
      operationId: 'changeCalibration',
      summary: "Sets the perception's own curve: the given one, or the one that its people give",
      params: IdParams,
      body: CalibrationInput,
      response: { 200: CurveInForce },
    },
    async handler(request) {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, id);
      const calibration = await choose(accountId, perception, request.body);
      const changed = await perceptions
        .calibrate(accountId, perception, calibration)
        .catch(rethrowNoPerception(id));
      return toCurveInForce(changed);
    },
  });

  app.delete('/perceptions/:id/calibration', {
    config: { right: 'change', audit: ['perceptions.calibrate', 'perception'] },
    schema: {
      tags,
      operationId: 'deleteCalibration',
      summary: "Goes back to the embedder's curve",
      params: IdParams,
      response: { 200: CurveInForce },
    },
    async handler(request) {
      const { id } = request.params;
      const { accountId } = callerOf(request);
      const perception = await findPerception(faces, accountId, id);
      const changed = await perceptions.calibrate(accountId, perception, null).catch(rethrowNoPerception(id));
      return toCurveInForce(changed);
    },
  });
}

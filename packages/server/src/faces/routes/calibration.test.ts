import { faceChains } from '@lynceus/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { faceCalls } from './fixtures/face-calls.js';

const embedders = { midpoint: faceChains.accurate.decisionCosine, slope: faceChains.accurate.cosineSlope };
let service: TestService;
let api: ReturnType<typeof faceCalls>;
let full: number;
beforeAll(async () => {
  service = await startTestService();
  api = faceCalls(service);
  full = await api.makePerception({ name: 'full' });
  for (let person = 0; person < 25; person += 1) {
    for (const image of [0, 1, 2]) {
      await api.send(`/api/perceptions/${full}/images?key_id=person-${person}`, person * 14.4 + image);
    }
  }
}, 300_000);
afterAll(() => service.stop());
const pathOf = (modelId: number) => `/api/perceptions/${modelId}/calibration`;

describe('the calibration of a perception', () => {
  test('is answered with the one that its own people would give, ready to be drawn', async () => {
    const { status, json } = await api.get(pathOf(full));
    expect([status, json]).toEqual([
      200,
      {
        calibration: embedders,
        source: 'embedder',
        embedder_calibration: embedders,
        reason: null,
        proposal: expect.objectContaining({
          people: 25,
          images: 75,
          pairs: { genuine: 75, impostor: expect.any(Number) },
        }),
      },
    ]);
    const { calibration, decision, distributions } = json.proposal;
    // Nobody's images are further apart than 2 degrees, and no two people's nearer than 12.
    expect(calibration.midpoint).toBeGreaterThan(0.977);
    expect(calibration.midpoint).toBeLessThan(0.9995);
    expect(decision.now).toMatchObject({ cosine: embedders.midpoint, similarity_now: 0.5 });
    expect(decision.now.false_match_rate).toBeGreaterThan(0.2);
    expect(decision.now.similarity_proposed).toBeLessThan(0.1);
    expect(decision.proposed.cosine).toBeCloseTo(calibration.midpoint, 9);
    expect(decision.proposed).toMatchObject({ similarity_proposed: 0.5, false_match_rate: 0 });
    expect(decision.proposed.false_non_match_rate).toBeCloseTo(0, 9);
    for (const shares of [distributions.genuine, distributions.impostor]) {
      expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1, 9);
    }
    expect(distributions.from).toBeLessThan(distributions.to);
  });

  test('of too few people has no proposal, and says how many it needs', async () => {
    const few = await api.makePerception();
    await api.addImage(await api.makePerson(few, 'Ada'), 0);
    const { status, json } = await api.get(pathOf(few));
    expect([status, json.proposal, json.reason]).toEqual([
      200,
      null,
      expect.stringMatching(/needs 25 people with two images or more, and the perception has 0/),
    ]);
    const taken = await api.put(pathOf(few), { own_people: true });
    expect([taken.status, taken.json.code, taken.json.detail]).toEqual([409, 'conflict', json.reason]);
    expect((await api.get(pathOf(few))).json.source).toBe('embedder');
  });

  test("is its own people's or a given one, changes what a search answers, and goes back", async () => {
    const similarity = async () =>
      (await api.send(`/api/perceptions/${full}/search`, 0.5)).json.faces[0].candidates[1].similarity;
    const before = await similarity();
    const own = await api.put(pathOf(full), { own_people: true });
    expect(own.json).toMatchObject({ source: 'own', embedder_calibration: embedders });
    expect(before).toBeGreaterThan(0.9);
    expect(await similarity()).toBeLessThan(0.5);

    const given = { midpoint: 0.3, slope: 20 };
    const set = await api.put(pathOf(full), given);
    expect([set.status, set.json]).toEqual([
      200,
      { calibration: given, source: 'own', embedder_calibration: embedders },
    ]);
    expect((await api.get(`/api/perceptions/${full}`)).json.calibration).toEqual(given);
    const report = (await api.get(pathOf(full))).json;
    expect(report).toMatchObject({ calibration: given, source: 'own' });
    expect(report.proposal.decision.now.cosine).toBe(0.3);

    const reset = await api.remove(pathOf(full));
    expect([reset.status, reset.json]).toMatchObject([200, { calibration: embedders, source: 'embedder' }]);
    expect(await similarity()).toBe(before);
  });

  test.each<[string, string]>([
    ['a slope of 0', '{"midpoint":0.4,"slope":0}'],
    ['a slope that falls', '{"midpoint":0.4,"slope":-3}'],
    ['a slope without end', '{"midpoint":0.4,"slope":1e999}'],
    ['NaN', '{"midpoint":NaN,"slope":12}'],
    ['NaN as text', '{"midpoint":"NaN","slope":12}'],
    ['a midpoint that is no cosine', '{"midpoint":1.01,"slope":12}'],
    ['half a curve', '{"midpoint":0.4}'],
    ['nothing', '{}'],
    ['both', '{"midpoint":0.4,"slope":12,"own_people":true}'],
    ['own_people: false', '{"own_people":false}'],
    ['a field that there is not', '{"midpoint":0.4,"slope":12,"shift":1}'],
  ])('that is none is refused: %s', async (_what, body) => {
    const answer = await callApi(service, pathOf(full), { method: 'PUT', body });
    expect([answer.status, answer.json.code]).toEqual([
      400,
      expect.toBeOneOf(['wrong_parameters', 'bad_request']),
    ]);
    expect((await api.get(pathOf(full))).json.source).toBe('embedder');
  });

  test('of a perception that there is not is 404', async () => {
    for (const answer of [
      await api.get(pathOf(99)),
      await api.put(pathOf(99), { own_people: true }),
      await api.put(pathOf(99), { midpoint: 0.4, slope: 12 }),
      await api.remove(pathOf(99)),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    }
  });
});

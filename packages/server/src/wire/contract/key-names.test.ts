import { describe, expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { upload, withImage } from './fixtures/images.js';
import { useService } from './fixtures/use-service.js';

const service = useService();

interface KeyLocation {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const locations: Readonly<
  Record<string, readonly [own: KeyLocation, other: KeyLocation, generation: Generation]>
> = {
  v1: [{ query: 'apikey=KEY' }, { query: 'api_key=KEY' }, { line: 'POST /predict/image', sent: upload }],
  v2: [{ query: 'api_key=KEY' }, { query: 'apikey=KEY' }, { line: 'PUT /predict', sent: withImage() }],
};
interface Generation {
  readonly line: string;
  readonly sent: typeof upload;
}

describe.each(Object.entries(locations))('on %s', (_name, [own, other, { line, sent }]) => {
  const bearer = (): KeyLocation => ({ headers: { authorization: `Bearer ${service().key}` } });
  const header = (): KeyLocation => ({ headers: { 'x-api-key': service().key } });
  const wrong = (location: KeyLocation): KeyLocation => ({
    ...(location.query === undefined ? {} : { query: location.query.replace('KEY', 'wrong') }),
    headers: Object.fromEntries(
      Object.entries(location.headers ?? {}).map(([name, value]) => [
        name,
        value.replace(service().key, 'wrong'),
      ]),
    ),
  });
  const statusWith = async (...given: readonly KeyLocation[]) => {
    const query = given.flatMap((location) => location.query ?? []).join('&');
    const headers = Object.assign({}, sent.headers, ...given.map((location) => location.headers));
    return (await ask(service(), `${line}?${query}`, { ...sent, headers })).status;
  };

  test('apikey and api_key are both accepted', async () => {
    expect([await statusWith(own), await statusWith(other)]).toEqual([200, 200]);
  });

  test('beside them Authorization: Bearer KEY and X-API-Key: KEY', async () => {
    expect([await statusWith(bearer()), await statusWith(header())]).toEqual([200, 200]);
    const lower: KeyLocation = { headers: { authorization: `bearer  ${service().key}` } };
    expect(await statusWith(lower)).toBe(200);
    const basic: KeyLocation = { headers: { authorization: `Basic ${service().key}` } };
    expect(await statusWith(basic)).toBe(401);
  });

  test("when several are given the query form wins, and in it the generation's own name", async () => {
    for (const loser of [other, bearer(), header()]) {
      expect(await statusWith(wrong(loser), own)).toBe(200);
      expect(await statusWith(loser, wrong(own))).toBe(401);
    }
    for (const loser of [bearer(), header()]) {
      expect(await statusWith(wrong(loser), other)).toBe(200);
      expect(await statusWith(loser, wrong(other))).toBe(401);
    }
  });

  test('an empty one is none', async () => {
    expect(await statusWith({ query: 'apikey=&api_key=' }, header())).toBe(200);
    expect(await statusWith({ query: 'apikey=&api_key=' })).toBe(401);
  });

  test('a key never appears in a log line or an error, wherever it was put', async () => {
    const misplaced = [
      'model_id=KEY',
      'predicttype=KEY',
      'parts=KEY',
      'url=http://127.0.0.1:1/KEY',
      'url=KEY',
    ];
    for (const query of misplaced) {
      const { status, text } = await ask(service(), `POST /predict/image?apikey=KEY&${query}`);
      expect(status, query).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(service().key);
    }
    for (const body of [{ model_id: service().key }, { image_file_url: service().key }]) {
      const { text } = await ask(service(), 'PUT /predict?api_key=KEY', { body: JSON.stringify(body) });
      expect(text).not.toContain(service().key);
    }
    expect((await ask(service(), `POST /predict/KEY?apikey=${service().key}`)).text).not.toContain(
      service().key,
    );
    expect(service().logLines.length).toBeGreaterThan(8);
    expect(service().logLines.join('')).not.toContain(service().key);
  });
});

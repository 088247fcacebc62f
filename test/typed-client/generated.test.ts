import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Generator {
  clientSources(
    document: object,
    rows: object,
  ): Readonly<Record<'api-types.ts' | 'calls.ts' | 'table.ts', string>>;
}
const { clientSources }: Generator = await import(`${root}scripts/client/write-client.mjs`);

const cat = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
};
const ok = (schema: object, status = '200') => ({
  [status]: { content: { 'application/json': { schema } } },
});
const document = {
  components: { schemas: { Cat: cat, Colour: { enum: ['black', 'white'], description: 'of the fur' } } },
  paths: {
    '/api/houses/{id}/cats': {
      get: {
        operationId: 'listCats',
        summary: 'Cats of a house',
        parameters: [
          { in: 'path', name: 'id', required: true, description: 'a number', schema: { type: 'integer' } },
          { in: 'query', name: 'limit', schema: { type: 'integer' } },
          { in: 'query', name: 'cursor', schema: { type: 'string' } },
          { in: 'query', name: 'born_after', schema: { type: 'string', format: 'date-time' } },
        ],
        responses: ok({
          type: 'object',
          properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Cat' } } },
        }),
      },
      post: {
        operationId: 'createCat',
        summary: 'Adds a cat',
        description: 'A name may be there twice.',
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                required: ['name'],
                properties: {
                  name: { type: 'string', description: 'a text of 1 to 20 characters' },
                  fur_colours: { type: 'array', items: { $ref: '#/components/schemas/Colour' } },
                },
              },
            },
          },
        },
        responses: ok({ $ref: '#/components/schemas/Cat' }, '201'),
      },
    },
  },
};
const rows = { cats: { about: 'Cats.', list: 'listCats(houseId: id)', create: 'createCat(houseId: id)' } };

describe('of an OpenAPI document and the names of calls', () => {
  const made = clientSources(document, rows);

  test('a type is made of each schema', () => {
    expect(made['api-types.ts']).toContain(
      'export interface Cat {\n  readonly name: string;\n  readonly age?: number;\n}',
    );
    expect(made['api-types.ts']).toContain("/** of the fur */\nexport type Colour = 'black' | 'white';");
  });

  test('a call has its arguments, options, answer and documentation', () => {
    expect(made['calls.ts']).toContain(
      '  /**\n   * Adds a cat.\n   *\n   * A name may be there twice.\n   */\n' +
        '  create: (houseId: number, options: CreateCatOptions) => Promise<Cat>;',
    );
    expect(made['calls.ts']).toContain(
      'export interface CreateCatOptions extends CallOptions {\n  /** A text of 1 to 20 characters. */\n' +
        '  readonly name: string;\n  readonly furColours?: readonly Colour[] | undefined;\n}',
    );
  });

  test('a list gives a call for a page and one for all of them', () => {
    expect(made['calls.ts']).toContain(
      'page: (houseId: number, options?: ListCatsFilter & PageOptions) => Promise<Page<Cat>>;',
    );
    expect(made['calls.ts']).toContain('=> AsyncGenerator<Cat, void, undefined>;');
    expect(made['calls.ts']).toContain('readonly bornAfter?: Moment | undefined;');
  });

  test('the table says what is sent, and that a second time would create a second one', () => {
    expect(made['table.ts']).toContain(
      "    create: {\n      call: 'POST /api/houses/{houseId}/cats',\n      args: ['houseId'],\n" +
        "      json: { name: 'needed', furColours: 'optional array' },\n      creates: true,\n    },",
    );
  });

  test.each([
    ['no operation for cats.stroke: strokeCat()', { cats: { stroke: 'strokeCat()' } }],
    ['createCat has no parameter colour for cats.create', { cats: { create: 'createCat(colour)' } }],
  ])('a wrong row is named: %s', (message, wrong) => {
    expect(() => clientSources(document, wrong)).toThrow(message);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFaceRequest } from './read-face-request.js';

const read = (parameters: Readonly<Record<string, string>>) => readFaceRequest((name) => parameters[name]);

describe('the arguments of /predict/face', () => {
  test('without a command are those of a search, over all people unless one is named', () => {
    expect(read({ model_id: ' 1001 ' })).toEqual({ kind: 'search', modelId: '1001', personId: null });
    expect(read({ model_id: '1001', person_id_filter: '-1' })).toMatchObject({ personId: null });
    expect(read({ model_id: '1001', person_id_filter: '1002' })).toMatchObject({ personId: 1002 });
  });

  test.each([
    ['no model_id', {}, /model_id is missing/],
    ['a filter that is no id', { model_id: '1', person_id_filter: 'Ada' }, /person_id_filter/],
    ['a filter of 0', { model_id: '1', person_id_filter: '0' }, /person_id_filter/],
    ['a filter of -2', { model_id: '1', person_id_filter: '-2' }, /person_id_filter/],
    ['a filter with an exponent', { model_id: '1', person_id_filter: '1e3' }, /person_id_filter/],
    ['a filter beyond 2^53', { model_id: '1', person_id_filter: '9007199254740993' }, /person_id_filter/],
    [
      'an unknown command',
      { command: 'delete_person', model_id: '1' },
      /command must be one of create_person/,
    ],
    ['a command in capitals', { command: 'CREATE_PERSON', model_id: '1' }, /command must be one of/],
  ])('are refused with %s', (_what, parameters, message) => {
    expect(() => read(parameters)).toThrow(message);
  });

  test('of a command count as missing when they are missing or malformed, since its result says so', () => {
    expect(read({ command: 'create_person' })).toEqual({
      kind: 'create_person',
      modelId: null,
      personName: null,
    });
    expect(read({ command: 'insert_person_image', person_id_filter: '-1' })).toMatchObject({
      personId: null,
    });
    expect(read({ command: 'insert_person_image_key_id', model_id: '1', key_id: ' ' })).toMatchObject({
      keyId: null,
    });
  });

  test('take a name of 1 to 200 characters, trimmed, in any script', () => {
    const nameOf = (name: string) => read({ command: 'create_person', model_id: '1', person_name: name });
    expect(nameOf('  Ada Lovelace ')).toMatchObject({ personName: 'Ada Lovelace' });
    expect(nameOf('李小龙')).toMatchObject({ personName: '李小龙' });
    expect(nameOf('😀'.repeat(200))).toMatchObject({ personName: '😀'.repeat(200) });
    expect(nameOf('a'.repeat(201))).toMatchObject({ personName: null });
    expect(nameOf('a\u0000b')).toMatchObject({ personName: null });
    expect(nameOf('half \ud800 a pair')).toMatchObject({ personName: null });
  });

  test('are read or refused as wrong parameters, whatever they are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const command = fc.constantFrom('create_person', 'insert_person_image', 'insert_person_image_key_id', '');
    fc.assert(
      fc.property(fc.oneof(command, text), text, text, text, (name, modelId, person, key) => {
        const parameters = { command: name, model_id: modelId, person_id_filter: person, key_id: key };
        try {
          readFaceRequest((wanted) => Reflect.get(parameters, wanted) || undefined);
        } catch (error) {
          expect(error).toMatchObject({ code: 'wrong_parameters' });
        }
      }),
    );
  });
});

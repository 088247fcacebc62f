import type { BuiltInModel } from '@lynceus/client';
import { expect, test } from 'vitest';
import { usableBuiltIn } from './known-models.js';

const accurate = { model_id: 101, uid: 'accurate', name: 'Accurate', task: 'object_detection' } as const;
const fast = { model_id: 102, uid: 'fast', name: 'Fast', task: 'object_detection' } as const;

function model(is_installed: boolean, predicts_as: BuiltInModel['predicts_as']): BuiltInModel {
  const provenance = { known: [], unknown: [] };
  return {
    id: 'a',
    name: 'A',
    summary: '',
    task: 'detector',
    licence: { stated: 'MIT', by: '', text: null },
    provenance,
    measured: [],
    is_installed,
    is_added: false,
    predicts_as,
  };
}

test('a model of several components is offered once, in the order of ids', () => {
  expect(usableBuiltIn([model(true, [fast, accurate]), model(true, [accurate]), model(true, [])])).toEqual([
    accurate,
    fast,
  ]);
});

test('a model that lacks a component is not offered', () => {
  expect(usableBuiltIn([model(true, [fast, accurate]), model(false, [accurate])])).toEqual([fast]);
});

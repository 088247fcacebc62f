import { type Static, Type } from 'typebox';
import type { ListedPerson } from '../../perceptions/person.js';
import { Id, Time, toTime } from '../fields.js';

export const Person = Type.Object(
  {
    id: Id,
    model_id: Type.Integer({ description: 'the perception' }),
    name: Type.String({ examples: ['Ada Lovelace'] }),
    key_id: Type.Union([Type.String(), Type.Null()], { description: 'your own id of the person' }),
    images: Type.Integer({ description: 'how many' }),
    created_at: Time,
  },
  { description: 'The person as they are now' },
);

export function toPerson(person: ListedPerson): Static<typeof Person> {
  const { id, perceptionId, name, keyId, images, createdAt } = person;
  return { id, model_id: perceptionId, name, key_id: keyId, images, created_at: toTime(createdAt) };
}

import { type Static, Type } from 'typebox';
import type { ListedPerson } from '../../../faces/person.js';
import { Id, Time, toTime } from '../fields.js';

export const Person = Type.Object(
  {
    id: Id,
    model_id: Type.Integer({ description: 'the perception' }),
    name: Type.String({ examples: ['Ada Lovelace'] }),
    key_id: Type.Union([Type.String(), Type.Null()], { description: 'your own id of the person' }),
    images: Type.Integer({ description: 'how many' }),
    image_id: Type.Union([Id, Type.Null()], { description: 'the newest of them; null without one' }),
    created_at: Time,
  },
  { title: 'Person', description: 'The person as they are now' },
);

export function toPerson(person: ListedPerson): Static<typeof Person> {
  const { id, perceptionId, name, keyId, images, newestImageId, createdAt } = person;
  return {
    id,
    model_id: perceptionId,
    name,
    key_id: keyId,
    images,
    image_id: newestImageId,
    created_at: toTime(createdAt),
  };
}

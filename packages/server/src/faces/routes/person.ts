import { type Static, Type } from 'typebox';
import { toAnswer } from '../../http/api/answer.js';
import { Id, Time } from '../../http/api/fields.js';
import type { ListedPerson } from '../person.js';

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
  const { perceptionId, newestImageId } = person;
  return toAnswer(Person, person, { model_id: perceptionId, image_id: newestImageId });
}

import { formOf } from './form.js';
import type { Kind } from './kind.js';

/** `/predict/face` with ids that do not exist: commands answer their code, a search is refused. None counts. */
export const faceKinds: readonly Kind[] = [
  {
    name: 'create_person, unknown perception',
    weight: 1,
    answers: ['200'],
    send: async (visitor, { key }) => {
      const path = `/predict/face?command=create_person&person_name=Ada&model_id=77&apikey=${key}`;
      return (await visitor.ask({ method: 'GET', path })).outcome;
    },
  },
  {
    name: 'insert_person_image, unknown person',
    weight: 2,
    answers: ['200'],
    send: async (visitor, { key, images }) => {
      const path = `/predict/face?command=insert_person_image&person_id_filter=1001&apikey=${key}`;
      return (await visitor.ask({ method: 'POST', path, ...formOf(images.jpeg) })).outcome;
    },
  },
  {
    name: 'face search, unknown perception',
    weight: 2,
    answers: ['400 wrong_parameters'],
    send: async (visitor, { key, images }) => {
      const path = `/predict/face?model_id=77&apikey=${key}`;
      return (await visitor.ask({ method: 'POST', path, ...formOf(images.jpeg) })).outcome;
    },
  },
];

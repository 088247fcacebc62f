import { useReducer, useRef } from 'react';
import { type ChosenImage, toSource } from '../../kit/image/image-input.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';
import { advanceEnrolments, type Enrolment } from './enrolment-list.js';

/** So many images go up at once: the service has other work too. */
const atOnce = 2;

/** Adds images to a person, some at once, the others after them. They go on when the page shows something else. */
export function useEnrolments(personId: number) {
  const client = useClient();
  const renew = useRenewFaces();
  const [list, dispatch] = useReducer(advanceEnrolments, []);
  const lane = useRef({ nextId: 1, running: 0, waiting: [] as Pick<Enrolment, 'id' | 'source'>[] });

  const addOne = async ({ id, source }: Pick<Enrolment, 'id' | 'source'>) => {
    dispatch({ kind: 'stepped', id, step: { kind: 'adding' } });
    try {
      const result = await client.faceImages.add(source, { personId });
      dispatch({ kind: 'stepped', id, step: { kind: 'answered', result } });
      return result.outcome === 'added';
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      dispatch({ kind: 'stepped', id, step: { kind: 'failed', error } });
      return false;
    }
  };

  const work = async () => {
    const { current } = lane;
    if (current.running >= atOnce) return;
    current.running += 1;
    let hasAdded = false;
    for (let next = current.waiting.shift(); next; next = current.waiting.shift()) {
      hasAdded = (await addOne(next)) || hasAdded;
    }
    current.running -= 1;
    if (hasAdded) await renew();
  };

  const queue = (enrolment: Pick<Enrolment, 'id' | 'source'>) => {
    lane.current.waiting.push(enrolment);
    void work();
  };

  return {
    list,
    give: (image: ChosenImage) => {
      const enrolment = { id: lane.current.nextId++, source: toSource(image) };
      dispatch({ kind: 'given', ...enrolment });
      queue(enrolment);
    },
    retry: ({ id, source }: Enrolment) => {
      dispatch({ kind: 'stepped', id, step: { kind: 'waiting' } });
      queue({ id, source });
    },
    clear: () => dispatch({ kind: 'cleared' }),
  };
}

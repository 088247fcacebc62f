import { detection } from './good-kinds.js';
import type { Kind } from './kind.js';
import { busy, readObject } from './outcome.js';
import type { Sent, Visitor } from './visitor.js';

/** The management API and the open pages. */
export const apiKinds: readonly Kind[] = [
  { ...read('/api/account', 3), isTimed: true },
  read('/api/usage', 2),
  read('/api/files?limit=5', 2),
  read('/api/keys?limit=5', 2),
  {
    name: 'a key is made, used, revoked and refused',
    weight: 1,
    // An account may make a thousand keys a day.
    answers: ['201, 200, 204, 401 invalid_api_key', '429 too_many_requests'],
    async send(visitor, { key }) {
      const made = await visitor.ask(api(key, 'POST', '/api/keys', '{"name": "of the load"}'));
      if (made.outcome !== '201') return made.outcome;
      const { key: newKey, id } = readObject(made.text);
      const use = () => visitor.ask(api(String(newKey), 'GET', '/api/account'));
      const outcome = [
        made,
        await use(),
        await visitor.ask(api(key, 'DELETE', `/api/keys/${id}`)),
        await use(),
      ];
      return outcome.map((answer) => answer.outcome).join(', ');
    },
  },
  {
    name: 'an analysis is made, read, deleted and gone',
    weight: 2,
    answers: ['200, 200, 204, 404 not_found', busy],
    counts: 'fickle',
    async send(visitor, { fickleKey, images }) {
      const found = await visitor.ask(detection(fickleKey, { image: images.jpeg, model: 'coco-fast' }));
      if (found.fileId === undefined) return found.outcome;
      const outcome = [
        found.outcome,
        ...(await readAndDelete(visitor, fickleKey, `/api/files/${found.fileId}`)),
      ];
      return outcome.join(', ');
    },
  },
  refused('unknown field', '400 wrong_parameters', (key) =>
    api(key, 'POST', '/api/keys', '{"name": "a", "colour": "red"}'),
  ),
  refused('unknown parameter', '400 wrong_parameters', (key) => api(key, 'GET', '/api/files?colour=red')),
  refused('unknown file', '404 not_found', (key) => api(key, 'GET', `/api/files/${'0'.repeat(32)}`)),
  refused('unknown key', '401 invalid_api_key', () =>
    api('lyn_unknown_key_of_the_load', 'GET', '/api/account'),
  ),
  refused('unknown path', '404 not_found', (key) => api(key, 'GET', '/api/nothing')),
  refused('wrong method', '405 method_not_allowed', (key) => api(key, 'PUT', '/api/account', '{}')),
  open('/livez'),
  open('/readyz'),
  open('/docs/openapi.json'),
];

export function api(key: string, method: Sent['method'], path: string, body?: string): Sent {
  const headers = { authorization: `Bearer ${key}` };
  if (body === undefined) return { method, path, headers };
  return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body };
}

async function readAndDelete(visitor: Visitor, key: string, path: string): Promise<string[]> {
  const outcome: string[] = [];
  for (const method of ['GET', 'DELETE', 'GET'] as const) {
    outcome.push((await visitor.ask(api(key, method, path))).outcome);
  }
  return outcome;
}

function read(path: string, weight: number): Kind {
  return {
    name: `GET ${path}`,
    weight,
    answers: ['200'],
    send: async (visitor, { key }) => (await visitor.ask(api(key, 'GET', path))).outcome,
  };
}

function refused(what: string, answer: string, make: (key: string) => Sent): Kind {
  return {
    name: `/api, ${what}`,
    weight: 1,
    answers: [answer],
    send: async (visitor, { key }) => (await visitor.ask(make(key))).outcome,
  };
}

function open(path: string): Kind {
  return {
    name: path,
    weight: 1,
    answers: ['200'],
    send: async (visitor) => (await visitor.ask({ method: 'GET', path })).outcome,
  };
}

import type { Service } from '#bench/service.js';

/** A key for clients of another service, with a perception of its own. */
export async function makeClientKey(
  service: Pick<Service, 'url' | 'key'>,
  compat: Readonly<Record<string, unknown>>,
): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return JSON.parse(await answer.text());
  };
  const { model_id } = await post('/api/perceptions', { name: 'people of a client' });
  const { key } = await post('/api/keys', {
    name: 'client',
    compat: { perception: String(model_id), ...compat },
  });
  return key;
}

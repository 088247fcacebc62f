/** Sends JSON, a form or nothing; answers what the service answers, as JSON. Throws where that is an error. */
export type ApiCall = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

export function apiOf(url: string, key: string): ApiCall {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
}

/** A form with one file. */
export function formWith(
  name: string,
  bytes: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.append(name, new Blob([new Uint8Array(bytes)]), 'file');
  return form;
}

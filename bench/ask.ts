import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.js';

export type Ask = ReturnType<typeof createAsk>;
export type Answer = Readonly<Record<string, unknown>>;

/** Asks the service by its first key; throws for what it refuses. */
export function createAsk({ url, key }: Service) {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': key,
        ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const said: Answer = JSON.parse((await answer.text()) || '{}');
    return said;
  };
}

/** Files of a form, named 1.png and so on. */
export function formOf(field: string, files: readonly Buffer[]): FormData {
  const form = new FormData();
  for (const [index, bytes] of files.entries())
    form.append(field, new Blob([new Uint8Array(bytes)]), `${index + 1}.png`);
  return form;
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isTrue()); attempt++) {
    if (attempt > 600) throw new Error('the account was not filled within five minutes');
    await sleep(500);
  }
}

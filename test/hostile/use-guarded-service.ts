import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { sample } from '../support/sample.js';
import { type GuardedService, startGuardedService } from './guarded-service.js';
import { type RemoteServer, startRemoteServer } from './remote-server.js';

/** As docs/errors.md has them: HTTP, the text of v1, the number of v2. */
export const documented = {
  wrong_parameters: [400, 'Error (Wrong Parameters)', -4],
  invalid_model: [400, 'Error (Wrong Parameters)', -2],
  no_file: [400, 'Error (No File)', -3],
  invalid_image_text: [400, 'Error (Wrong Parameters)', -3],
  bad_request: [400, 'Error (Wrong Parameters)', -4],
  invalid_api_key: [401, 'Error (Invalid API Key)', -1],
  file_too_large: [413, 'Error (File Too Large)', -6],
  unsupported_image: [415, 'Error (Unsupported Image)', -3],
  address_not_allowed: [403, 'Error (Image Address Not Allowed)', -8],
  address_not_reachable: [502, 'Error (Image Address Not Reachable)', -8],
} as const;
export type Code = keyof typeof documented;

export interface ErrorBody {
  readonly status: string | number;
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string };
}

/** What a test of bad input asks, and how it says what it expects. */
export interface Hostilities {
  readonly service: GuardedService;
  readonly remote: RemoteServer;
  v1(path: string, query: Readonly<Record<string, string>>, body?: FormData): Promise<Response>;
  v2(body: string | object): Promise<Response>;
  expectRefusal(answer: Response, code: Code, generation: 1 | 2, what?: string): Promise<void>;
  /** Calls of this test that were answered, and therefore count. */
  answered(calls: number): void;
}

/**
 * A guarded service for the tests of one file. After each of them it is still there, nothing is left in its spool, and it
 * has counted the calls that were answered and no other.
 */
export function useGuardedService(): () => Hostilities {
  let service: GuardedService;
  let remote: RemoteServer;
  let callsBefore = 0;
  let callsAnswered = 0;
  beforeAll(async () => {
    [service, remote] = await Promise.all([startGuardedService(), startRemoteServer(sample)]);
  });
  afterAll(() => Promise.all([service.stop(), remote.close()]));
  beforeEach(async () => {
    callsBefore = await service.callsCounted();
    callsAnswered = 0;
  });
  afterEach(async () => {
    await expect.poll(() => service.filesInSpool()).toEqual([]);
    await expect.poll(async () => (await service.callsCounted()) - callsBefore).toBe(callsAnswered);
    await service.expectAlive();
  });
  return () => ({
    service,
    remote,
    answered: (calls) => {
      callsAnswered = calls;
    },
    v1: (path, query, body) =>
      fetch(`${service.url}${path}?${new URLSearchParams({ apikey: service.key, ...query })}`, {
        method: 'POST',
        ...(body === undefined ? {} : { body }),
      }),
    v2: (body) =>
      fetch(`${service.url}/predict?api_key=${service.key}`, {
        method: 'PUT',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    expectRefusal: async (answer, code, generation, what) => {
      const body = (await answer.json()) as ErrorBody;
      const [http, text, number] = documented[code];
      expect([answer.status, body.status, body.error.code], what).toEqual([
        http,
        generation === 1 ? text : number,
        code,
      ]);
      expect(body.error.request_id).toBe(answer.headers.get('x-request-id'));
      expect(JSON.stringify(body)).not.toContain(service.key);
    },
  });
}

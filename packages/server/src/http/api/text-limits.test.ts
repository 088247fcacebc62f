import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxNameLength } from '../../accounts/names.js';
import { maxDescriptionLength } from '../../training/models/models.js';
import { readApiDocument } from '../api-document.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Limited {
  readonly path: string;
  readonly field: 'name' | 'description';
  readonly maxLength: number;
  /** Of the request, beside the field. */
  readonly others: object;
  readonly byDomain: string;
  readonly bySchema: string;
}

const nameTexts = {
  field: 'name',
  maxLength: maxNameLength,
  byDomain: 'name must have 1 to 200 characters, control characters not among them',
  bySchema: 'name must be a text of 1 to 200 characters, control characters not among them',
} as const;
const task = 'classification';
const limited: readonly Limited[] = [
  { ...nameTexts, path: '/api/perceptions', others: {} },
  { ...nameTexts, path: '/api/datasets', others: { task } },
  { ...nameTexts, path: '/api/models', others: { task } },
  { ...nameTexts, path: '/api/drops', others: {} },
  {
    ...nameTexts,
    path: '/api/streams',
    others: { source: { kind: 'rtsp', address: 'rtsp://198.51.100.7/' } },
  },
  {
    ...nameTexts,
    path: '/api/stream-outputs',
    others: { settings: { kind: 'webhook', url: 'https://a.example/' } },
  },
  { ...nameTexts, path: '/api/videos', others: { address: 'https://198.51.100.7/a.mp4' } },
  {
    path: '/api/models',
    field: 'description',
    maxLength: maxDescriptionLength,
    others: { name: 'a model', task },
    byDomain:
      'description must have at most 2000 characters, control characters other than line breaks and tabs not among them',
    bySchema: 'description must be a text of at most 2000 characters',
  },
];

test.each(limited)(
  '$field of POST $path: the document states the limit of the domain',
  async ({ path, field, maxLength }) => {
    const document: unknown = await readApiDocument();
    expect(document).toHaveProperty(
      ['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema', 'properties', field],
      expect.objectContaining({ maxLength }),
    );
  },
);

test.each(limited)(
  '$field of POST $path: characters are counted without the spaces around them',
  async ({ path, field, maxLength, others, byDomain, bySchema }) => {
    const post = async (text: string) => {
      const body = { ...others, [field]: text };
      const { status, json } = await callApi(service, path, { method: 'POST', body });
      return status < 300 ? json[field] : [status, json.code, json.detail];
    };
    const fitting = '🙂'.repeat(maxLength);
    const spaces = ' '.repeat(maxLength / 2);
    expect(await post(fitting)).toBe(fitting);
    expect(await post(`${spaces}${fitting}${spaces}`)).toBe(fitting);
    expect(await post(`${fitting}a`)).toEqual([400, 'wrong_parameters', byDomain]);
    expect(await post('a'.repeat(2 * maxLength))).toEqual([400, 'wrong_parameters', byDomain]);
    expect(await post('a'.repeat(2 * maxLength + 1))).toEqual([400, 'wrong_parameters', bySchema]);
  },
);

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { StaticDocumentSpec } from '@fastify/swagger';

/** The OpenAPI document of a service without a path prefix. */
export type ApiDocument = StaticDocumentSpec['document'];

/** Written by `npm run generate -- api`; a test compares it with what the routes say. */
export const apiDocumentPath = fileURLToPath(new URL('../../assets/openapi.json', import.meta.url));

export async function readApiDocument(): Promise<ApiDocument> {
  return JSON.parse(await readFile(apiDocumentPath, 'utf8'));
}

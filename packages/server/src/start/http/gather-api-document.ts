import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { isComprefacePath } from '../../compat/compreface/paths.js';
import { faceImageOperations } from '../../faces/routes/served-images.js';
import { isApiPath, Problem } from '../../http/api/problem.js';
import { withDocumentedLengths } from '../../http/api/trimmed-text.js';
import { retryAfterHeader } from '../../http/common/operation.js';
import { healthOperations } from '../../http/health.js';
import { nameSchemas } from '../../http/name-schemas.js';
import { v1Operations } from '../../wire/v1/operations.js';
import { v2Operations } from '../../wire/v2/operations.js';

const problemResponse = {
  description: 'An error; `code` says which',
  headers: retryAfterHeader,
  content: {
    'application/problem+json': {
      schema: Problem,
      example: {
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: 'nothing of yours has this id',
        code: 'not_found',
        request_id: '6f1c1f3e-7a52-4a6b-9d5e-0c1b1f0d7a11',
      },
    },
  },
};

/**
 * Gathers the OpenAPI document: routes of the API by their schemas as they are added, all others as they are described
 * by hand. Must be there before the routes. It takes some 300 ms at every start, so that services read what it made when they
 * were built: api-document.ts.
 */
export async function gatherApiDocument(app: FastifyInstance, pathPrefix: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lynceus',
        version: '0.1.0',
        description:
          'Image recognition in two generations (v1, v2), and the management of an account (/api).',
      },
      servers: [{ url: pathPrefix || '/' }],
      tags: [
        { name: 'v2', description: 'Object detection with JSON' },
        { name: 'v1', description: 'Recognition with uploads and addresses' },
        {
          name: 'perceptions',
          description: 'Collections of people whose faces are known, and searching them',
        },
        { name: 'people', description: 'Whose faces they are' },
        { name: 'images', description: 'Images of their faces' },
        { name: 'datasets', description: 'Labelled images to train with' },
        { name: 'models', description: 'Models that customers made, and their versions' },
        { name: 'streams', description: 'Cameras and other live sources, and what is seen in them' },
        { name: 'drops', description: 'Photographs in by FTP, keywords written, sent on' },
        { name: 'jobs', description: 'Work that continues after the request that started it' },
        { name: 'files', description: 'What was found before' },
        { name: 'keys', description: "The account's API keys" },
        { name: 'account', description: 'Plan and usage' },
        {
          name: 'session',
          description: 'Signing in to the web account, and what people change of themselves',
        },
        { name: 'members', description: 'The people of the account, and who changed what' },
        { name: 'admin', description: 'The whole service, for its administrators' },
        { name: 'health', description: 'For the operator' },
      ],
      security: [{ bearer: [] }, { header: [] }, { api_key: [] }, { apikey: [] }, { session: [] }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          api_key: { type: 'apiKey', in: 'query', name: 'api_key' },
          apikey: { type: 'apiKey', in: 'query', name: 'apikey' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'lynceus_session',
            description: 'By TLS and without a path prefix the cookie is `__Host-lynceus_session`.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const path = url.slice(pathPrefix.length);
      const isOurs = isApiPath(path) && !isComprefacePath(path) && route.method !== 'OPTIONS';
      if (!isOurs) return { schema: { hide: true }, url };
      const response = typeof schema?.response === 'object' ? schema.response : {};
      return {
        schema: { ...withDocumentedLengths(schema), response: { ...response, default: problemResponse } },
        url,
      };
    },
    transformObject: (gathered) => {
      if (!('openapiObject' in gathered)) return gathered.swaggerObject;
      const { openapiObject } = gathered;
      const { paths, components } = openapiObject;
      const { schemas, ...named } = nameSchemas({
        ...v2Operations,
        ...v1Operations,
        ...faceImageOperations,
        ...paths,
        ...healthOperations,
      });
      return Object.assign(openapiObject, { ...named, components: { ...components, schemas } });
    },
  });
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Example {
  readonly imageId: string;
  readonly subject: string;
  /** None: CompreFace runs without `save_images_to_db`. */
  readonly bytes: Buffer;
}

/** What CompreFace's "Rest API description" says of subjects and their examples, read with a key. */
export async function startCompreFace(input: {
  readonly key: string;
  readonly subjects: readonly string[];
  readonly examples: readonly Example[];
  /** Whom it names in every image. */
  readonly named?: string;
  /** Of the answers to come, as many are 503. */
  readonly failing?: number;
}) {
  const { key, subjects, examples } = input;
  let failing = input.failing ?? 0;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://compreface');
    asked.push(pathname);
    const say = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    if (failing > 0) {
      failing -= 1;
      return say(503, undefined);
    }
    if (request.headers['x-api-key'] !== key) return say(401, { message: 'Unauthorized', code: 1 });
    if (/^\/api\/v1\/recognition\/subjects\/?$/.test(pathname)) return say(200, { subjects });
    if (pathname === '/api/v1/recognition/faces') {
      const page = Number(searchParams.get('page') ?? 0);
      const size = Math.min(Number(searchParams.get('size') ?? 20), 3);
      return say(200, {
        faces: examples
          .slice(page * size, (page + 1) * size)
          .map(({ imageId, subject }) => ({ image_id: imageId, subject })),
        page_number: page,
        page_size: size,
        total_pages: Math.ceil(examples.length / size),
        total_elements: examples.length,
      });
    }
    if (pathname === '/api/v1/recognition/recognize' && input.named !== undefined) {
      const box = { probability: 1, x_max: 100, y_max: 100, x_min: 10, y_min: 10 };
      request.resume();
      return say(200, { result: [{ box, subjects: [{ subject: input.named, similarity: 0.97 }] }] });
    }
    const imageId = /^\/api\/v1\/recognition\/faces\/([^/]+)\/img$/.exec(pathname)?.[1];
    const found = examples.find((example) => example.imageId === imageId);
    if (found)
      return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.bytes);
    return say(404, { message: 'not found', code: 0 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCatalog } from './catalog.js';
import { factsOf, tinyEntry, tinyModel, writeEntries } from './fixtures/tiny-model.js';

let folder: string;
let server: Server;
let requests: { readonly file: string; readonly range: string | undefined }[];
let answer: (file: string, request: IncomingMessage, response: ServerResponse) => void;

const files: Readonly<Record<string, Buffer>> = tinyModel();
const weights = files['weights.bin'] ?? Buffer.alloc(0);
const model = files['model.json'] ?? Buffer.alloc(0);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-https-'));
  requests = [];
  answer = serveRanges;
  server = createServer((request, response) => {
    const file = (request.url ?? '').slice(1);
    requests.push({ file, range: request.headers.range });
    answer(file, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

function serveRanges(file: string, request: IncomingMessage, response: ServerResponse): void {
  const content = files[file] ?? Buffer.alloc(0);
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start === 0) response.writeHead(200).end(content);
  else {
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    response.writeHead(206, { 'content-range': range }).end(content.subarray(start));
  }
}

/** Answers with fewer bytes than announced and closes. */
function cutAfter(bytes: number, file: string, response: ServerResponse): void {
  const content = files[file] ?? Buffer.alloc(0);
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, bytes), () => response.destroy());
}

async function openHere() {
  const entriesDir = join(folder, 'entries');
  const listed = Object.entries(files).map(([name, content]) => ({
    ...factsOf(name, content),
    url: `https://models.test/${name}`,
  }));
  await writeEntries(entriesDir, [tinyEntry('colours', { kind: 'https', files: listed })]);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return openCatalog({
    modelsDir: join(folder, 'models'),
    entriesDir,
    fetch: (url, init) => fetch(url.replace('https://models.test', `http://127.0.0.1:${port}`), init),
  });
}

const rangesOf = (file: string) =>
  requests.filter((request) => request.file === file).map(({ range }) => range);

test('a truncated download resumes where it stopped', async () => {
  answer = (file, request, response) => {
    if (file === 'model.json' && request.headers.range === undefined) cutAfter(100, file, response);
    else serveRanges(file, request, response);
  };
  const catalog = await openHere();
  await catalog.install(['colours']);
  expect(rangesOf('model.json')).toEqual([undefined, 'bytes=100-']);
  expect(await catalog.verify(['colours'])).toMatchObject([{ state: 'ok' }]);
});

test('a later process resumes the download of an earlier one', async () => {
  const stop = new AbortController();
  answer = (_file, _request, response) => {
    response.writeHead(200, { 'content-length': model.length });
    response.write(model.subarray(0, 100));
  };
  const onProgress = ({ bytesDone }: { bytesDone: number }) => {
    if (bytesDone === 100) stop.abort(new Error('stopped'));
  };
  await expect((await openHere()).install(['colours'], { onProgress, signal: stop.signal })).rejects.toThrow(
    'stopped',
  );
  answer = serveRanges;
  await (await openHere()).install(['colours']);
  expect(rangesOf('model.json')).toEqual([undefined, 'bytes=100-']);
});

test('a server without ranges sends the whole file', async () => {
  let first = true;
  answer = (file, _request, response) => {
    if (file === 'model.json' && first) cutAfter(100, file, response);
    else response.writeHead(200).end(files[file]);
    first = false;
  };
  await (await openHere()).install(['colours']);
  expect(await readFile(join(folder, 'models', 'sources', factsOf('', model).sha256))).toEqual(model);
});

test('a resumed file with a wrong hash is fetched once more from its beginning', async () => {
  let first = true;
  answer = (file, request, response) => {
    if (file === 'model.json' && first) {
      response.writeHead(200, { 'content-length': model.length });
      response.write(Buffer.alloc(100), () => response.destroy());
    } else serveRanges(file, request, response);
    first = false;
  };
  await (await openHere()).install(['colours']);
  expect(rangesOf('model.json')).toEqual([undefined, 'bytes=100-', undefined]);
});

test('bytes with another hash than in the catalogue are refused and not kept', async () => {
  answer = (file, request, response) => {
    if (file === 'weights.bin') response.writeHead(200).end(Buffer.alloc(weights.length));
    else serveRanges(file, request, response);
  };
  await expect((await openHere()).install(['colours'])).rejects.toThrow(/weights\.bin has SHA-256/);
  expect(await readdir(join(folder, 'models', 'scratch'))).toEqual([]);
});

test('an endless answer is stopped at the size in the catalogue', async () => {
  answer = (_file, _request, response) => {
    response.writeHead(200);
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65536))) {}
    };
    response.on('drain', pour);
    pour();
  };
  await expect((await openHere()).install(['colours'])).rejects.toThrow(/has more than \d+ bytes/);
});

test('a missing file is reported at once, without the query of its address', async () => {
  answer = (_file, _request, response) => response.writeHead(404).end();
  const failure = await (await openHere()).install(['colours']).catch((error: unknown) => String(error));
  expect(failure).toContain('models.test answered 404 for model.json');
  expect(requests).toHaveLength(1);
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFormFiles } from './form-files.js';
import { readFormToFolder } from './form-to-folder.js';
import { openSpool, type Spool } from './spool.js';
import { readUpload } from './upload.js';
import { readUploadStream } from './upload-stream.js';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-broken-forms-'));
  spool = await openSpool({ dir: join(dir, 'spool'), maxBytes: 10_000_000 });
});
afterAll(() => rm(dir, { recursive: true }));

const signal = new AbortController().signal;

function filePart(name: string, content: string, header = ''): string {
  return `--X\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.jpg"\r\n${header}\r\n${content}\r\n`;
}

/** Forms that break off: within a file that is kept, in one that is passed over, and in one whose headers are too long. */
const forms = {
  'in its only file': filePart('image', 'a'.repeat(30_000)),
  'in its second file': filePart('image', 'a') + filePart('other', 'b'.repeat(30_000)),
  'in a second file of long headers': filePart('image', 'a') + filePart('other', 'b', longHeader()),
  'after a part without headers': `${filePart('image', 'a')}--X\r\n\r\n${filePart('other', 'b', longHeader())}`,
};

function longHeader(): string {
  return `X-Long: ${'x'.repeat(20_000)}\r\n`;
}

function requestOf(form: string | Buffer, chunkBytes: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const body = typeof form === 'string' ? Buffer.from(form) : form;
  Object.assign(request.headers, {
    'content-type': 'multipart/form-data; boundary=X',
    'content-length': String(body.length),
  });
  for (let at = 0; at < body.length; at += chunkBytes) request.push(body.subarray(at, at + chunkBytes));
  request.push(null);
  return request;
}

/** Every reader of forms. */
const readers = {
  'of one image': (request: IncomingMessage) =>
    readUpload(request, spool, { maxImageBytes: 60_000, maxTextBytes: 80_000 }, signal),
  'of many images': async (request: IncomingMessage) => {
    for await (const { image } of readFormFiles(
      request,
      spool,
      { maxFileBytes: 60_000, maxFiles: 5 },
      signal,
    )) {
      await image?.dispose();
    }
  },
  'into a folder': async (request: IncomingMessage) => {
    const folder = await mkdtemp(join(dir, 'form-'));
    await readFormToFolder(request, { dir: folder, maxBytes: 100_000, maxFiles: 5, signal });
  },
  'of one large file': async (request: IncomingMessage) => {
    for await (const _ of readUploadStream(request, { maxBytes: 100_000, signal }));
  },
};

/** Errors that nobody listens for: in the service each ends the process. */
async function uncaughtDuring(work: () => Promise<void>): Promise<unknown[]> {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  try {
    await work();
    for (let round = 0; round < 5; round += 1) await setImmediate();
  } finally {
    process.off('uncaughtException', note);
  }
  return uncaught;
}

const broken = Object.entries(readers).flatMap(([reader, read]) =>
  Object.entries(forms).map(([where, form]) => ({ reader, read, where, form })),
);

test.each(broken)('a form $reader that breaks off $where is refused', async ({ read, form }) => {
  const uncaught = await uncaughtDuring(async () => {
    for (const chunkBytes of [1, 7, 1000, 4096, 100_000]) {
      await expect(read(requestOf(form, chunkBytes))).rejects.toMatchObject({ code: 'bad_request' });
    }
  });
  expect(uncaught).toEqual([]);
  expect(spool.bytesInUse).toBe(0);
  expect(await readdir(spool.dir)).toEqual([]);
});

test('a field without a name that is too large is refused', async () => {
  const form = `--X\r\nContent-Disposition: form-data\r\n\r\n${'a'.repeat(2_100_000)}\r\n--X--\r\n`;
  const folder = await mkdtemp(join(dir, 'form-'));
  const uncaught = await uncaughtDuring(async () => {
    const reading = readFormToFolder(requestOf(form, 65_536), {
      dir: folder,
      maxBytes: 10_000_000,
      maxFiles: 5,
      signal,
    });
    await expect(reading).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('without a name'),
    });
  });
  expect(uncaught).toEqual([]);
});

test.each(Object.entries(readers))(
  'a form whose large part is no form data is refused at once, %s',
  async (_name, read) => {
    for (const header of ['Content-Disposition: attachment; name="image"; filename="a.jpg"', 'X-Own: 1']) {
      const form = `--X\r\n${header}\r\n\r\n${'a'.repeat(40_000)}\r\n--X--\r\n`;
      await expect(read(requestOf(form, 100_000))).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('Content-Disposition: form-data'),
      });
    }
  },
);

test.each(Object.entries(readers))(
  'a compressed form is refused as such, and one that is not is read, %s',
  async (_name, read) => {
    const form = Buffer.from(`${filePart('image', 'a')}--X--\r\n`);
    const saysGzip = (body: Buffer) => {
      const request = requestOf(body, 1000);
      request.headers['content-encoding'] = 'gzip';
      return request;
    };
    await read(saysGzip(form));
    await expect(read(saysGzip(gzipSync(form)))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('gzip'),
    });
  },
);

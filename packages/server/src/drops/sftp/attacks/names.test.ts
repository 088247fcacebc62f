import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectRawSession, type RawSession, text, uint32 } from '../fixtures/sftp-client.js';
import { startTestSftp, type TestSftp } from '../fixtures/test-sftp.js';

let server: TestSftp;
let session: RawSession;
let id = 0;
beforeAll(async () => {
  server = await startTestSftp();
});
beforeEach(async () => {
  session = await connectRawSession(server);
  session.send(1, uint32(3));
  await session.hear();
});
afterAll(() => server.stop());

/** The status of a request for a path of these bytes; null where it has another answer. */
async function statusOf(
  type: number,
  path: string | Uint8Array,
  ...rest: readonly Buffer[]
): Promise<number | null> {
  session.send(type, uint32(++id), text(path), ...rest);
  const answer = await session.hear();
  return answer?.[0] === 101 ? answer.readUInt32BE(5) : null;
}

test.each([
  ['../../etc/passwd', ['incoming', 'etc', 'passwd']],
  ['/../../../etc/passwd', ['incoming', 'etc', 'passwd']],
  ['/done/../../secret', ['incoming', 'secret']],
  ['..\\..\\x', ['incoming', '..\\..\\x']],
  ['%2e%2e/x', ['incoming', '%2e%2e', 'x']],
])('a way out stays inside the drop: %s', async (path, asked) => {
  expect(await statusOf(17, path)).toBe(2);
  expect(server.folders.asked.at(-1)).toEqual(asked);
});

test.each([
  ['NUL', 'a\0.jpg', 'a_.jpg'],
  ['a line break', 'a\n2020 sftp: received b.jpg', 'a_2020 sftp: received b.jpg'],
  ['an escape sequence', '\u001b[2Ja.jpg', '_[2Ja.jpg'],
  ['a reversed direction', 'a\u202egpj.exe', 'agpj.exe'],
  ['too many bytes', 'x'.repeat(4000), 'x'.repeat(255)],
  ['nothing but blanks', '   ', '_'],
  ['dots around an invisible character', '.\u200b.', '_'],
])('a name with %s is another one, which everybody can show', async (_what, name, shown) => {
  expect(await statusOf(17, name)).toBe(2);
  expect(server.folders.asked.at(-1)).toEqual(['incoming', shown]);
});

test('more folders than programs show are refused, whatever is asked of them', async () => {
  const name = 'a/'.repeat(40);
  const before = server.folders.asked.length;
  for (const type of [7, 11, 13, 14, 15, 16, 17]) expect(await statusOf(type, name)).toBe(4);
  expect(await statusOf(3, name, uint32(0x1a), uint32(0))).toBe(4);
  expect(await statusOf(18, 'a.jpg', text(name))).toBe(4);
  expect(server.folders.asked.length).toBe(before);
});

test('bytes that are no UTF-8 are one name, and always the same', async () => {
  const name = Uint8Array.of(0xe9, 0x2e, 0x6a, 0x70, 0x67);
  expect(await statusOf(14, name)).toBe(0);
  expect(await statusOf(17, name)).toBe(null);
  expect(server.folders.asked.at(-1)).toEqual(['incoming', 'é.jpg']);
});

import { readFile } from 'node:fs/promises';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faceCalls } from '../faces/routes/fixtures/face-calls.js';
import { apiDocumentPath } from './api-document.js';
import { fillAccount, type Ids } from './fixtures/account-facts.js';
import { type Asked, askOthers } from './fixtures/asked-of-others.js';
import { imageBytes } from './fixtures/bodies.js';
import { type Browser, enterAs } from './fixtures/browser.js';
import { facesAt } from './fixtures/faces-at.js';
import { pathsOfAccount } from './fixtures/paths-to-read.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

/** These end the session that asks, answer something new each time, or report what was asked before. */
const notBySession = [
  ...['signIn', 'signOut', 'endSessions', 'createSessionKey', 'prepareTotp', 'listAudit'],
];
const operations = askOthers(JSON.parse(await readFile(apiDocumentPath, 'utf8')));

let service: TestService;
/** Two accounts with the same names and ids; the first has everything once more, by ids that the second lacks. */
let first: { readonly key: string; readonly same: Ids; readonly more: Ids };
let second: { readonly key: string; readonly accountId: number; readonly own: Ids };
/** Spelt as those the first account has more, and nobody's. */
let unknownIds: Ids;
let seenBySecond = '';
/** All that the first account has more, as the last test left it: nobody but the second asks in between. */
let lastRead: string | undefined;

beforeAll(async () => {
  service = await startTestService({ keepImages: true });
  const { key, accountId } = await service.makeKey('second');
  const same = await fillAccount(service, service.key, 0);
  second = { key, accountId, own: await fillAccount(service, key, 120) };
  first = { key: service.key, same, more: await fillAccount(service, service.key, 0) };
  const { token } = first.more;
  unknownIds = {
    modelId: 9002,
    uid: '00000000-0000-4000-8000-000000000000',
    personId: 9002,
    imageId: 9002,
    correctionId: 9002,
    trainedId: 9002,
    trainedUid: '00000000-0000-4000-8000-000000000003',
    dropId: 9002,
    streamId: 9002,
    streamOutputId: 9002,
    streamTrackId: '00000000-0000-4000-8000-000000000005',
    videoId: 9002,
    videoThumbnailId: '00000000-0000-4000-8000-000000000006',
    dropFileId: '00000000-0000-4000-8000-000000000004',
    jobId: '00000000-0000-4000-8000-000000000002',
    datasetId: 9002,
    datasetUid: '00000000-0000-4000-8000-000000000001',
    classId: 9002,
    datasetImageId: 9002,
    fileid: '0'.repeat(32),
    keyId: 9002,
    userId: 9002,
    sessionId: 9002,
    invitationId: 9002,
    token: `${token.slice(0, -43)}${'A'.repeat(43)}`,
  };
});
afterAll(() => service.stop());

async function ask(key: string, { method, path, body, shows }: Asked) {
  service.runner.script = async () => facesAt(0);
  const image = shows && { body: imageBytes(900), type: 'image/jpeg' };
  const sent = image || (body !== undefined && { body: JSON.stringify(body), type: 'application/json' });
  const answer = await request(`${service.base}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(sent ? { 'content-type': sent.type } : {}) },
    ...(sent ? { body: sent.body } : {}),
  });
  // The length is that of the text, which is compared without ids.
  const {
    date: _,
    // A balancer ends a connection after some number of requests.
    connection: _connection,
    'content-length': _length,
    'x-request-id': requestId,
    'x-file-id': fileid,
    ...headers
  } = answer.headers;
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers,
    text: [requestId, fileid].reduce<string>(
      (rest, id) => (id === undefined ? rest : rest.replaceAll(String(id), 'ID')),
      text,
    ),
  };
}

function askBySession({ jar }: Browser, { method, path, body, shows }: Asked) {
  service.runner.script = async () => facesAt(0);
  const image = shows && { body: imageBytes(900), type: 'image/jpeg' };
  const sent = image || (body !== undefined && { body: JSON.stringify(body), type: 'application/json' });
  return request(`${service.base}${path}`, {
    method,
    headers: {
      cookie: jar.cookie,
      'x-csrf-token': jar.csrf,
      ...(sent ? { 'content-type': sent.type } : {}),
    },
    ...(sent ? { body: sent.body } : {}),
  }).then(async (answer) => ({ status: answer.statusCode, text: await answer.body.text() }));
}

/** As the second account; with ids taken out, so that only what differs for another reason is left. */
async function askOf(their: Ids, asked: (their: Ids, own: Ids) => readonly Asked[]) {
  const answers = [];
  for (const each of asked(their, second.own)) {
    const answer = await ask(second.key, each);
    const text = withoutIds(answer.text, their, JSON.stringify(each));
    seenBySecond += text;
    answers.push({ ...each, path: undefined, body: undefined, ...answer, text });
  }
  return answers;
}

/** An answer repeats what it was asked for; those ids are taken out, and no number that happens to be like another. */
function withoutIds(text: string, ids: Ids, asked: string): string {
  return Object.values(ids)
    .map((id) => new RegExp(`(?<![\\w.-])${id}(?![\\w-])`, 'g'))
    .filter((pattern) => asked.search(pattern) >= 0)
    .reduce((rest, pattern) => rest.replaceAll(pattern, 'ID'), text);
}

async function readAll(key: string, ids: Ids): Promise<string> {
  const answers = [];
  for (const path of pathsOfAccount(service.routes, ids))
    answers.push({ path, ...(await ask(key, { method: 'GET', path })) });
  for (const { path, status } of answers) expect([path, status]).toEqual([path, 200]);
  return answers.map(({ text }) => text).join('\n');
}

describe('two accounts with the same names, keys and ids', () => {
  test('are what is tested here', () => {
    const { modelId, personId, imageId, correctionId } = first.same;
    expect(second.own).toMatchObject({ modelId, personId, imageId, correctionId });
    expect(first.more.modelId).not.toBe(modelId);
  });

  test('ids in fields whose names do not say so are asked for', () => {
    const bodiesOf = (id: string) =>
      (operations.get(id)?.(unknownIds, second.own) ?? []).map(({ body }) => JSON.stringify(body));
    for (const operation of ['createKey', 'changeKey']) {
      const bodies = bodiesOf(operation).join();
      for (const field of ['"perception":9002', '"model":9002', '"models":{"Eve":"9002"}'])
        expect(bodies).toContain(field);
    }
    for (const operation of ['createStreamOutput', 'changeStreamOutput'])
      expect(bodiesOf(operation).join()).toContain('"streams":[9002]');
  });

  test.each([...operations])(
    "%s answers another account's ids as ids that do not exist, and changes nothing there",
    async (_id, asked) => {
      lastRead ??= await readAll(first.key, first.more);
      const before = lastRead;
      const ofUnknown = await askOf(unknownIds, asked);
      // A request that is refused before anything is looked up says nothing of other accounts.
      const isRefusedEarlier = ({ status, text }: { status: number; text: string }) =>
        status === 400 && !/\bID (is|are) (not|no)\b/.test(text);
      expect(ofUnknown.filter(isRefusedEarlier)).toEqual([]);
      const ofFirst = await askOf({ ...first.more, token: forged(first.more.token) }, asked);
      expect(withoutFileIds(ofFirst)).toEqual(withoutFileIds(ofUnknown));
      // Another test asks every address that reads, and looks at all rows.
      if (ofUnknown.every(({ method }) => method === 'GET')) return;
      lastRead = await readAll(first.key, first.more);
      expect(lastRead).toBe(before);
    },
  );

  test("a session gets the same answer for another account's ids as for ids that do not exist, by every operation, and changes nothing there", async () => {
    const before = await readAll(first.key, first.more);
    const owner = await enterAs(service, second.accountId, 'owner', 'owner@second.example');
    for (const [id, asked] of operations) {
      if (notBySession.includes(id)) continue;
      const answersTo = async (their: Ids) => {
        const answers = [];
        for (const each of asked(their, second.own)) {
          if (!each.path.startsWith('/api/')) continue;
          const { status, text } = await askBySession(owner, each);
          const normalized = withoutIds(text, their, JSON.stringify(each));
          seenBySecond += normalized;
          answers.push({ status, text: normalized.replace(/"request_id":"[^"]*"/, '') });
        }
        return answers;
      };
      const ofUnknown = await answersTo(unknownIds);
      expect([id, withoutFileIds(await answersTo(first.more))]).toEqual([id, withoutFileIds(ofUnknown)]);
    }
    expect(await readAll(first.key, first.more)).toBe(before);
    const [foreign] = await service.database.query
      .selectFrom('web_session')
      .select('id')
      .where('id', '=', first.more.sessionId)
      .execute();
    expect(foreign).toBeDefined();
  });

  test('what only the first account can know is in no answer to the second', async () => {
    expect(seenBySecond.length).toBeGreaterThan(5000);
    for (const { uid, trainedUid, datasetUid, dropFileId, jobId, fileid, token } of [
      first.same,
      first.more,
    ]) {
      for (const secret of [uid, trainedUid, datasetUid, dropFileId, jobId, fileid, token])
        expect(seenBySecond).not.toContain(secret);
    }
  });

  test("a face of the first account's people is a stranger to the second", async () => {
    const api = faceCalls(service, second.key);
    const { json } = await api.send(`/api/perceptions/${second.own.modelId}/search`, 0);
    expect(json.faces[0]).toMatchObject({ verdict: 'unknown' });
  });

  test('what the second deletes under the same ids stays with the first', async () => {
    const before = await readAll(first.key, first.same);
    const api = faceCalls(service, second.key);
    const { own } = second;
    for (const path of [
      `/api/people/${own.personId}/corrections/${own.correctionId}`,
      `/api/face-images/${own.imageId}`,
      `/api/people/${own.personId}`,
      `/api/perceptions/${own.modelId}`,
      `/api/models/${own.trainedId}/versions/1`,
      `/api/models/${own.trainedId}`,
      `/api/datasets/${own.datasetId}/images/${own.datasetImageId}`,
      `/api/datasets/${own.datasetId}/classes/${own.classId}?force=true`,
      `/api/datasets/${own.datasetId}`,
    ]) {
      expect([path, (await api.remove(path)).status]).toEqual([path, expect.toBeOneOf([200, 204])]);
    }
    expect(await readAll(first.key, first.same)).toBe(before);
    const searched = await faceCalls(service, first.key).send(
      `/api/perceptions/${first.same.modelId}/search`,
      0,
    );
    expect(searched.json.faces[0]).toMatchObject({ verdict: 'match' });
    expect((await ask(first.key, { method: 'GET', path: `/face-images/${first.same.token}` })).status).toBe(
      200,
    );
  });
});

/** An address of an image is for whoever was given it; with another account in it, it is nobody's. */
function forged(token: string): string {
  return token.replace(/^\d+/, String(second.accountId));
}

/** Each analysis has one of its own. */
function withoutFileIds(answers: readonly { readonly text: string }[]): unknown {
  return answers.map((answer) => ({ ...answer, text: answer.text.replace(/"[0-9a-f]{32}"/g, '"ID"') }));
}

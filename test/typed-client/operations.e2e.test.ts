import type { LynceusClient } from '@lynceus/client';
import { startTestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordRequests } from './recorded-requests.js';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>>;
  };
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const bytes = Uint8Array.of(0xff, 0xd8, 0xff);
const address = { url: 'https://images.example/a.jpg' };
const [from, to] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
const paging = { limit: 10, cursor: 'abc' };
const perception = { modelId: 1001 };
const perceptionSettings = {
  decisionSimilarity: 0.6,
  wantsLiveness: true,
  namesRecognition: false,
  refusedProblems: ['blurred'],
} as const;

const options = {
  family: 'detector',
  labels: ['cat'],
  layout: 'yolov8',
  input: { width: 640 },
  boxes: { format: 'xyxy' },
  activation: 'none',
  threshold: 0.3,
  first_class: 0,
} as const;

const camera = { kind: 'rtsp', address: 'rtsp://10.0.0.1/live' } as const;
const output = {
  name: 'hook',
  settings: { kind: 'webhook', url: 'http://10.0.0.1/in' },
  secrets: { token: 'a-token' },
} as const;
const seen = {
  streamId: 1001,
  kind: 'start',
  label: 'person',
  personId: 1002,
  zone: 'gate',
  trackId: '0',
  from,
  to,
} as const;

/** For each operation, calls that together use all that it takes. */
const calls: Readonly<Record<string, (client: LynceusClient) => Promise<unknown>>> = {
  predict: async ({ detect }) => {
    await detect(bytes, { modelId: 'coco-fast', confThresh: 0.3, nmsThresh: 0.5 });
    await detect(address);
  },
  predictImage: async ({ recognise, recogniseWith }) => {
    await recognise(bytes, { predictType: 'basic', parts: ['classes', 'objects'], textLanguages: ['de'] });
    await recogniseWith(address, { modelId: 201 });
  },
  predictObjectDetection: async ({ detectObjects }) => {
    await detectObjects(bytes, { modelId: 101, confThresh: 0.3, nmsThresh: 0.5, detail: 'high' });
    await detectObjects(address);
  },
  predictFace: async ({ faces }) => {
    await faces.search(address, { ...perception, personIdFilter: 1002 });
    await faces.createPerson({ ...perception, personName: 'Ada' });
    await faces.insertImage(bytes, { personId: 1002 });
    await faces.insertImageByKeyId(bytes, { ...perception, keyId: 'ada-1' });
  },
  readFaceImage: ({ faces }) =>
    faces.readImage('https://far.example/face-images/1.2.3.x').catch(() => undefined),
  previewImage: async ({ preview }) => {
    await preview(bytes, { maxSide: 640 }).catch(() => undefined);
    await preview(address).catch(() => undefined);
  },
  listPerceptions: ({ perceptions }) => perceptions.page(paging),
  createPerception: ({ perceptions }) => perceptions.create({ name: 'staff', ...perceptionSettings }),
  readPerception: ({ perceptions }) => perceptions.read(1001),
  changePerception: ({ perceptions }) => perceptions.change(1001, { name: 'staff', ...perceptionSettings }),
  deletePerception: ({ perceptions }) => perceptions.remove(1001),
  readEmbedder: ({ embedders }) => embedders.read(1001),
  changeEmbedder: ({ embedders }) => embedders.change(1001, { chain: 'permissive', leaveOut: true }),
  cancelEmbedderChange: ({ embedders }) => embedders.cancelChange(1001),
  forgetKeptEmbedders: ({ embedders }) => embedders.forgetKept(1001),
  searchPerception: async ({ perceptions }) => {
    await perceptions.search(bytes, { ...perception, personId: 1002 });
    await perceptions.search(address, perception);
  },
  exportPerception: ({ archives }) => archives.export(1001).catch(() => undefined),
  importPerception: ({ archives }) => archives.import(new Blob([bytes])),
  readCalibration: ({ calibration }) => calibration.read(1001),
  changeCalibration: async ({ calibration }) => {
    await calibration.change(1001, { midpoint: 0.4, slope: 12 });
    await calibration.change(1001, { ownPeople: true });
  },
  deleteCalibration: ({ calibration }) => calibration.reset(1001),
  listPeople: ({ people }) => people.page(1001, { ...paging, search: 'ada' }),
  createPerson: ({ people }) => people.create(1001, { name: 'Ada', keyId: 'ada-1' }),
  readPerson: ({ people }) => people.read(1002),
  changePerson: ({ people }) => people.change(1002, { name: 'Ada', keyId: null }),
  deletePerson: ({ people }) => people.remove(1002),
  mergePerson: ({ people }) => people.merge(1002, { into: 1003 }),
  listImages: ({ faceImages }) => faceImages.page({ modelId: 1001 }, paging),
  listImagesOfPerson: ({ faceImages }) => faceImages.page({ personId: 1002 }, paging),
  addImage: async ({ faceImages }) => {
    await faceImages.add(bytes, { personId: 1002, acceptProblems: true });
    await faceImages.add(address, { personId: 1002 });
  },
  addImageByKeyId: async ({ faceImages }) => {
    await faceImages.addByKeyId(bytes, { ...perception, keyId: 'ada-1', acceptProblems: true });
    await faceImages.addByKeyId(address, { ...perception, keyId: 'ada-1' });
  },
  readImage: ({ faceImages }) => faceImages.read(1004),
  readFaceImageContent: ({ faceImages }) =>
    faceImages.readContent(1004, { width: 160, crop: 'face' }).catch(() => undefined),
  reEmbedImage: ({ faceImages }) => faceImages.reEmbed(1004),
  deleteImage: ({ faceImages }) => faceImages.remove(1004),
  deleteImages: ({ faceImages }) => faceImages.removeMany(1001, [1004, 1005]),
  moveImages: async ({ faceImages }) => {
    await faceImages.move(1001, [1004], { personId: 1002 });
    await faceImages.move(1001, [1004], { name: 'Ada' });
  },
  listCorrections: ({ corrections }) => corrections.page(1002, paging),
  correctPerson: async ({ corrections }) => {
    await corrections.add(bytes, { personId: 1002 });
    await corrections.add(address, { personId: 1002 });
    await corrections.addImage(1004, { personId: 1002 });
  },
  deleteCorrection: ({ corrections }) => corrections.remove(1002, 1006),
  listDatasets: ({ datasets }) => datasets.page(paging),
  createDataset: ({ datasets }) =>
    datasets.create({ name: 'animals', task: 'classification', multiLabel: true }),
  readDataset: ({ datasets }) => datasets.read(1001),
  changeDataset: ({ datasets }) => datasets.rename(1001, { name: 'animals' }),
  deleteDataset: ({ datasets }) => datasets.remove(1001),
  checkDataset: ({ datasets }) => datasets.check(1001),
  splitDataset: ({ datasets }) => datasets.split(1001, { heldOut: 0.2 }),
  importDataset: ({ datasets }) => datasets.import(1001, new Blob([bytes]), { format: 'coco' }),
  readImportFindings: ({ datasets }) =>
    datasets.importFindings(1001, { format: 'jsonl' }).catch(() => undefined),
  exportDataset: ({ datasets }) => datasets.export(1001, { format: 'yolo' }).catch(() => undefined),
  listModels: ({ models }) => models.page(paging),
  createModel: ({ models }) => models.create({ name: 'a', task: 'classification', description: 'b' }),
  readModel: ({ models }) => models.read(1001),
  changeModel: ({ models }) => models.change(1001, { name: 'a', description: 'b' }),
  deleteModel: ({ models }) => models.remove(1001),
  switchVersion: ({ models }) => models.switchTo(1001, 1),
  listVersions: ({ modelVersions }) => modelVersions.page(1001, paging),
  readVersion: ({ modelVersions }) => modelVersions.read(1001, 1),
  readVersionReport: ({ modelVersions }) => modelVersions.report(1001, 1),
  readReportPage: ({ modelVersions }) => modelVersions.reportPage(1001, 1).catch(() => undefined),
  trainModel: ({ modelRuns }) =>
    modelRuns.start(1001, {
      datasetId: 1001,
      noneOfThese: true,
      secondLook: false,
      seed: 2,
      activate: false,
    }),
  listRuns: ({ modelRuns }) => modelRuns.page(1001, paging),
  compareVersions: ({ modelRuns }) => modelRuns.compare(1001, { versions: [1, 2], datasetId: 1001 }),
  downloadVersion: ({ modelVersions }) => modelVersions.download(1001, 1).catch(() => undefined),
  uploadVersion: ({ modelVersions }) =>
    modelVersions.upload(1001, [{ name: 'a.onnx', content: new Blob([bytes]) }], {
      activate: false,
      options,
    }),
  changeVersion: ({ modelVersions }) => modelVersions.change(1001, 1, options, { activate: false }),
  changeVersionSettings: ({ modelVersions }) => modelVersions.changeSettings(1001, 1, { oneLabel: true }),
  deleteVersion: ({ modelVersions }) => modelVersions.remove(1001, 1),
  listDrops: ({ drops }) => drops.page(paging),
  createDrop: ({ drops }) =>
    drops.create({ name: 'desk', userName: 'desk', settings: { parts: ['classes'] }, destination: null }),
  readDrop: ({ drops }) => drops.read(1001),
  changeDrop: ({ drops }) =>
    drops.change(1001, {
      name: 'desk',
      settings: { model_id: 1002, keywords: { prefix: 'a' } },
      destination: { kind: 'folder', folder: '/images', secrets: {} },
    }),
  deleteDrop: ({ drops }) => drops.remove(1001),
  renewDropKey: ({ drops }) => drops.renewKey(1001),
  testDropDestination: ({ drops }) => drops.testDestination(1001),
  listStreams: ({ streams }) => streams.page(paging),
  createStream: ({ streams }) =>
    streams.create({ name: 'door', source: camera, settings: { fps: 2 }, enabled: false }),
  readStream: ({ streams }) => streams.read(1001),
  changeStream: ({ streams }) =>
    streams.change(1001, { name: 'door', source: camera, settings: { names_people: true }, enabled: true }),
  deleteStream: ({ streams }) => streams.remove(1001),
  createStreamViewToken: ({ streams }) => streams.createViewToken(1001, { seconds: 60 }),
  testStreamSource: ({ streams }) => streams.testSource(camera),
  testStream: ({ streams }) => streams.test(1001, { source: camera }),
  readStreamFrame: ({ streamViews }) =>
    streamViews.readFrame(1001, { boxes: true, maxSide: 640 }).catch(() => undefined),
  viewStream: ({ streamViews }) =>
    streamViews.view(1001, { fps: 2, boxes: true, maxSide: 640 }).catch(() => undefined),
  followStreamTags: ({ streamViews }) =>
    streamViews
      .followTags(1001)
      .next()
      .catch(() => undefined),
  listStreamEvents: ({ streamEvents }) => streamEvents.page({ ...paging, ...seen }),
  listStreamTracks: ({ streamTracks }) => streamTracks.page({ ...paging, ...seen }),
  readStreamTrack: ({ streamTracks }) => streamTracks.read('0'),
  readStreamSnapshot: ({ streamTracks }) =>
    streamTracks.readSnapshot('0', { crop: true, boxes: true, maxSide: 640 }).catch(() => undefined),
  readStreamClip: ({ streamTracks }) => streamTracks.readClip('0').catch(() => undefined),
  deleteStreamTrack: ({ streamTracks }) => streamTracks.remove('0'),
  refuseStreamPerson: ({ streamTracks }) => streamTracks.refusePerson('0'),
  listStreamOutputs: ({ streamOutputs }) => streamOutputs.page(paging),
  createStreamOutput: ({ streamOutputs }) => streamOutputs.create({ ...output, enabled: false }),
  readStreamOutput: ({ streamOutputs }) => streamOutputs.read(1001),
  changeStreamOutput: ({ streamOutputs }) => streamOutputs.change(1001, { ...output, enabled: true }),
  deleteStreamOutput: ({ streamOutputs }) => streamOutputs.remove(1001),
  testStreamOutput: ({ streamOutputs }) => streamOutputs.test(1001),
  listVideos: ({ videos }) => videos.page(paging),
  createVideo: async ({ videos }) => {
    const wanted = { name: 'entrance', settings: { fps: 1 } };
    await videos.upload(new File([bytes], 'a.mp4'), wanted).catch(() => undefined);
    await videos.addByAddress('http://films.example/a.mp4', wanted);
  },
  readVideo: ({ videos }) => videos.read(1001),
  readVideoTimeline: async ({ videos }) => {
    await videos.readTimeline(1001).catch(() => undefined);
    await videos.readTimelineFile(1001, 'csv');
  },
  readVideoFile: ({ videos }) => videos.readFile(1001).catch(() => undefined),
  readVideoThumbnail: ({ videos }) => videos.readThumbnail(1001, '0').catch(() => undefined),
  analyseVideo: ({ videos }) => videos.analyse(1001, { settings: { fps: 1 } }),
  deleteVideo: ({ videos }) => videos.remove(1001),
  listDropFiles: ({ dropFiles }) => dropFiles.page(1001, { ...paging, state: 'waiting', search: 'IMG' }),
  readDropFile: ({ dropFiles }) => dropFiles.read(1001, '0'),
  readDropFileContent: ({ dropFiles }) =>
    dropFiles.readContent(1001, '0', { width: 160 }).catch(() => undefined),
  retryDropFile: ({ dropFiles }) => dropFiles.retry(1001, '0'),
  retryDrop: ({ dropFiles }) => dropFiles.retryFailed(1001),
  deleteDropFile: ({ dropFiles }) => dropFiles.remove(1001, '0'),
  purgeDropFiles: ({ dropFiles }) => dropFiles.purge(1001, 'failed'),
  listJobs: ({ jobs }) => jobs.page({ ...paging, kind: 'dataset-import', subject: '1001' }),
  readJob: ({ jobs }) => jobs.read('0'),
  followAccount: async ({ follow }) => {
    await follow()
      .next()
      .catch(() => undefined);
  },
  followJob: async ({ jobs }) => {
    await jobs
      .follow('0')
      .next()
      .catch(() => undefined);
  },
  cancelJob: ({ jobs }) => jobs.cancel('0'),
  createDatasetClass: ({ datasetClasses }) => datasetClasses.create(1001, { name: 'cat' }),
  changeDatasetClass: ({ datasetClasses }) => datasetClasses.rename(1001, 1002, { name: 'cat' }),
  mergeDatasetClass: ({ datasetClasses }) => datasetClasses.merge(1001, 1002, { into: 1003 }),
  deleteDatasetClass: ({ datasetClasses }) => datasetClasses.remove(1001, 1002, { force: true }),
  listDatasetImages: ({ datasetImages }) =>
    datasetImages.page(1001, { ...paging, classId: 1002, labelled: true, split: 'train', search: 'cat' }),
  addDatasetImages: ({ datasetImages }) =>
    datasetImages.add(1001, [{ name: 'a.jpg', content: new Blob([bytes]) }], { label: 'cat' }),
  fetchDatasetImages: ({ datasetImages }) => datasetImages.fetch(1001, [address.url], { label: 'cat' }),
  readDatasetImage: ({ datasetImages }) => datasetImages.read(1001, 1004),
  readDatasetImageContent: ({ datasetImages }) =>
    datasetImages.readContent(1001, 1004, { width: 160 }).catch(() => undefined),
  setDatasetLabels: ({ datasetImages }) => datasetImages.setLabels(1001, 1004, [{ classId: 1002 }]),
  suggestDatasetLabels: ({ datasetImages }) => datasetImages.suggest(1001, 1004, { modelId: 1002 }),
  deleteDatasetImage: ({ datasetImages }) => datasetImages.remove(1001, 1004),
  deleteDatasetImages: ({ datasetImages }) => datasetImages.removeMany(1001, [1004]),
  listFiles: ({ files }) =>
    files.page({ ...paging, operation: 'v1.predict_image', search: 'dog', from, to: new Date(to) }),
  readFile: ({ files }) => files.read('0'.repeat(32)),
  readFileContent: ({ files }) => files.readContent('0'.repeat(32), { width: 160 }).catch(() => undefined),
  deleteFile: ({ files }) => files.remove('0'.repeat(32)),
  listKeys: ({ keys }) => keys.page(paging),
  createKey: ({ keys }) =>
    keys.create({ name: 'shop', expiresAt: new Date(to), callLimit: 5, compat: { protocol: 'doods' } }),
  changeKey: ({ keys }) =>
    keys.change(1, {
      ...{ name: 'shop', expiresAt: null, callLimit: null, force: false },
      compat: { protocol: 'doods' },
    }),
  revokeKey: ({ keys }) => keys.revoke(1, { force: true }),
  readUsage: async ({ usage }) => {
    await usage.sums('day');
    await usage.page({ ...paging, from: '2026-01-01', to: '2026-01-31', operation: 'v2.predict', keyId: 1 });
  },
  readAccount: ({ account }) => account(),
  readSignIn: ({ session }) => session.state(),
  signIn: ({ session }) => session.signIn({ email: 'a@b.c', password: 'p', code: '123456' }),
  signUp: ({ session }) => session.signUp({ email: 'a@b.c', name: 'Ada', password: 'p', account: 'shop' }),
  readSession: ({ session }) => session.read(),
  signOut: ({ session }) => session.signOut(),
  createSessionKey: ({ session }) => session.createKey(),
  listSessions: ({ session }) => session.page(paging),
  endSession: ({ session }) => session.end(1),
  endSessions: ({ session }) => session.endAll(),
  lookAtLink: ({ links }) => links.look('t'),
  useLink: ({ links }) => links.use('t', { email: 'a@b.c', name: 'Ada', password: 'p', code: '123456' }),
  checkPassword: ({ links }) => links.checkPassword('p', { email: 'a@b.c' }),
  changeUser: ({ ownUser }) => ownUser.change({ name: 'Ada', email: 'a@b.c', password: 'p' }),
  changePassword: ({ ownUser }) => ownUser.changePassword({ current: 'p', password: 'q' }),
  prepareTotp: ({ ownUser }) => ownUser.prepareTotp({ password: 'p' }),
  confirmTotp: ({ ownUser }) => ownUser.confirmTotp('123456'),
  removeTotp: ({ ownUser }) => ownUser.removeTotp({ password: 'p', code: '123456' }),
  renewRecoveryCodes: ({ ownUser }) => ownUser.renewRecoveryCodes('123456'),
  dismissWrongCodes: ({ ownUser }) => ownUser.dismissWrongCodes(),
  listMembers: ({ members }) => members.page({ ...paging, search: 'ada' }),
  listKeysOfMember: ({ members }) => members.keys(1),
  changeMember: ({ members }) =>
    members.change(1, { role: 'reader', keys: 'keep', dropKeys: 'revoke', unknownKeys: 'revoke' }),
  removeMember: ({ members }) => members.remove(1, { keys: 'keep', dropKeys: 'revoke', unknownKeys: 'keep' }),
  listInvitations: ({ invitations }) => invitations.page(paging),
  createInvitation: ({ invitations }) => invitations.create({ email: 'a@b.c', role: 'member' }),
  withdrawInvitation: ({ invitations }) => invitations.withdraw(1),
  listAudit: ({ audit }) => audit.page({ ...paging, action: 'keys.create', userId: 1, from, to }),
  listAccounts: ({ admin }) => admin.accountsPage(paging),
  createAccount: ({ admin }) =>
    admin.createAccount({ name: 'shop', plan: 'paid', callLimit: null, resultDays: 7 }),
  changeAccount: ({ admin }) => admin.changeAccount(1, { plan: 'trial', callLimit: 5, resultDays: 7 }),
  inviteToAccount: ({ admin }) => admin.invite(1, { email: 'a@b.c', role: 'owner' }),
  listAccountDeletions: ({ admin }) => admin.deletionsPage(paging),
  deleteAccount: ({ admin }) => admin.deleteAccount(1, { name: 'shop', immediately: true }),
  undeleteAccount: ({ admin }) => admin.undeleteAccount(1),
  listUsers: ({ admin }) => admin.usersPage({ ...paging, search: 'ada' }),
  resetUser: ({ admin }) => admin.resetUser(1),
  readService: ({ admin }) => admin.service(),
  listCatalogue: ({ admin }) => admin.models(),
  listSettings: ({ admin }) => admin.settings(),
  listCompatListeners: ({ admin }) => admin.compatListeners.list(),
  createCompatListener: ({ admin }) =>
    admin.compatListeners.create({
      ...{ port: 5000, keyId: 1, allowedNetworks: ['10.0.0.0/8'], host: '127.0.0.1' },
    }),
  deleteCompatListener: ({ admin }) => admin.compatListeners.delete(1),
  readSweeps: ({ admin }) => admin.sweeps(),
  confirmSweep: ({ admin }) => admin.confirmSweep('faces', { orphans: 3 }),
  listBuiltInModels: ({ models }) => models.builtIn(),
  isAlive: ({ health }) => health.live(),
  isReady: ({ health }) => health.ready(),
};

/** Operations that do the same by another method; the client has no need of them. */
const alike: Readonly<Record<string, string>> = {
  predictByPost: 'predict',
  predictImageByAddress: 'predictImage',
  predictObjectDetectionByAddress: 'predictObjectDetection',
  predictFaceByAddress: 'predictFace',
};

let stop: () => Promise<void>;
let operations: { readonly method: string; readonly path: string; readonly operation: Operation }[];
beforeAll(async () => {
  const service = await startTestService();
  stop = service.stop;
  const document = (await (await fetch(`${service.base}/docs/openapi.json`)).json()) as { paths: Paths };
  operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
});
afterAll(() => stop());

function find(id: string) {
  const found = operations.find(({ operation }) => operation.operationId === id);
  if (!found) throw new Error(`the OpenAPI document has no operation ${id}`);
  return found;
}

/** Names of what an operation takes, but for those in its path; one may be taken in the query and in a form. */
function parametersOf({ parameters = [], requestBody }: Operation): string[] {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const bodies = Object.values(requestBody?.content ?? {});
  const fields = bodies.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  return [...new Set([...names, ...fields])].sort();
}

describe('every operation of the service', () => {
  test('is in the client, and the client has no other', () => {
    const ids = operations.map(({ operation }) => operation.operationId).sort();
    expect([...Object.keys(calls), ...Object.keys(alike)].sort()).toEqual(ids);
  });

  test.each(Object.entries(calls))('%s is called at its path with all that it takes', async (id, make) => {
    const { method, path, operation } = find(id);
    const requests = await recordRequests(make);
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    const sent = new Set<string>();
    for (const request of requests) {
      expect([request.method, request.path]).toEqual([method, expect.stringMatching(pattern)]);
      for (const name of Object.keys(request.parameters)) sent.add(name);
    }
    expect([...sent].sort()).toEqual(parametersOf(operation));
  });

  test.each(Object.entries(alike))('%s does no more than %s', (id, other) => {
    const [one, wanted] = [find(id), find(other)];
    expect(one.path).toBe(wanted.path);
    for (const name of parametersOf(one.operation)) expect(parametersOf(wanted.operation)).toContain(name);
  });
});

test('values are sent as the service reads them, and the key in a header alone', async () => {
  const requests = await recordRequests(async (client) => {
    for (const make of Object.values(calls)) await make(client);
    await client.keys.create({ name: 'b' });
    await client.faces.createPerson({ modelId: 'a&b=c', personName: 'Zoë & Söhne?' });
  });
  for (const { address: sentTo, headers } of requests) {
    expect(sentTo).not.toMatch(/key=key|apikey/);
    expect(headers['x-api-key']).toBe('key');
  }
  const sent = requests.map(({ parameters }) => parameters);
  expect(sent).toContainEqual({
    base64str: '/9j/',
    model_id: 'coco-fast',
    conf_thresh: 0.3,
    nms_thresh: 0.5,
  });
  expect(sent).toContainEqual({
    predicttype: 'basic',
    parts: 'classes,objects',
    text_languages: 'de',
    image: expect.any(Blob),
  });
  const compat = { protocol: 'doods' };
  expect(sent).toContainEqual({
    name: 'shop',
    expires_at: '2026-02-01T00:00:00.000Z',
    call_limit: 5,
    compat,
  });
  expect(sent).toContainEqual({ name: 'shop', expires_at: null, call_limit: null, force: 'false', compat });
  expect(sent).toContainEqual({ name: 'b' });
  expect(sent).toContainEqual({ command: 'create_person', model_id: 'a&b=c', person_name: 'Zoë & Söhne?' });
});

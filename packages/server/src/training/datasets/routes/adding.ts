import { Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Name } from '../../../http/api/fields.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { createRequestSignal } from '../../../http/common/request-signal.js';
import { type FormFile, readFormFiles } from '../../../intake/form-files.js';
import type { HeldImage } from '../../../intake/held-image.js';
import type { Adding } from '../add-images.js';
import type { Dataset, ImageLabel } from '../dataset.js';
import type { DatasetDeps } from './deps.js';
import { DatasetParams } from './fields.js';
import { type RefusedFile, toVerdict, type Verdict, Verdicts } from './verdict.js';

/** In one request; it must end in the time that a request has. */
const maxFiles = 100;
const maxAddresses = 20;

const LabelInput = Type.Optional(Name);
const Files = {
  content: {
    'multipart/form-data': {
      schema: Type.Object({
        label: Type.Optional(Type.String({ description: 'what the files after it show' })),
        file: Type.Optional(Type.Array(Type.String({ format: 'binary' }))),
      }),
    },
  },
};
const tags = ['datasets'];

/** Adding by address, with a body of JSON. */
export function addFetchingRoute(app: ApiScope, deps: DatasetDeps): void {
  app.post('/datasets/:id/images/fetch', {
    config: { right: 'change', audit: ['dataset_images.create', 'dataset_image'] },
    schema: {
      tags,
      operationId: 'fetchDatasetImages',
      summary: `Adds the images at these addresses, ${maxAddresses} at most, each with a verdict`,
      params: DatasetParams,
      body: exactly({
        urls: Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
          minItems: 1,
          maxItems: maxAddresses,
          description: `a list of 1 to ${maxAddresses} http or https addresses`,
        }),
        label: LabelInput,
      }),
      response: { 200: Verdicts },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const dataset = await deps.datasets.datasets.read(accountId, request.params.id);
      const { urls, label } = request.body;
      const signal = createRequestSignal(reply, deps);
      const adding = await deps.datasets.openAdding(accountId, dataset);
      const labels = await ensureLabel(deps, accountId, dataset, label);
      request.hasChanged = labels !== null;
      const data: Verdict[] = [];
      for (const url of urls) {
        await request.requireAccess();
        data.push(await addByAddress(deps, adding, { url, labels, accountId, signal }));
        request.hasChanged = true;
      }
      return { data };
    },
  });
}

/** Adding by upload, in a scope that leaves bodies unread. */
export function addUploadingRoute(app: ApiScope, deps: DatasetDeps): void {
  app.post('/datasets/:id/images', {
    config: { right: 'change', audit: ['dataset_images.create', 'dataset_image'] },
    schema: {
      tags,
      operationId: 'addDatasetImages',
      summary: `Adds the files of a form, ${maxFiles} at most, each with a verdict; a field label before a file says what it and those after it show`,
      params: DatasetParams,
      querystring: exactly({ label: LabelInput }),
      body: Files,
      response: { 200: Verdicts },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { settings, spool } = deps;
      const dataset = await deps.datasets.datasets.read(accountId, request.params.id);
      if (!/^\s*multipart\//i.test(request.headers['content-type'] ?? '')) {
        throw new ServiceError(
          'no_file',
          'no file: send images as file parts of a form, or a zip to …/import',
        );
      }
      const signal = createRequestSignal(reply, deps);
      const adding = await deps.datasets.openAdding(accountId, dataset);
      const data: Verdict[] = [];
      const limits = { maxFileBytes: settings.maxImageBytes, maxFiles };
      for await (const file of readFormFiles(request.raw, spool.of(accountId), limits, signal)) {
        try {
          await request.requireAccess();
          const labels = await findLabels(deps, accountId, dataset, request.query.label, file.fields);
          request.hasChanged = true;
          data.push(
            'problem' in labels
              ? toVerdict(file.fileName, labels)
              : await addHeld(adding, { ...file, ...labels, signal, maxBytes: settings.maxImageBytes }),
          );
        } finally {
          await file.image?.dispose();
        }
      }
      if (data.length === 0)
        throw new ServiceError('no_file', 'no file: send images as file parts of the form');
      return { data };
    },
  });
}

/** By the label that stands before a file in the form, which spoils that file alone; else by that of the request. */
async function findLabels(
  deps: DatasetDeps,
  accountId: number,
  dataset: Dataset,
  ofRequest: string | undefined,
  { label }: FormFile['fields'],
): Promise<{ readonly labels: readonly ImageLabel[] | null } | RefusedFile> {
  if (label === undefined) return { labels: await ensureLabel(deps, accountId, dataset, ofRequest) };
  try {
    return { labels: await ensureLabel(deps, accountId, dataset, label) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.entry.http >= 500) throw error;
    return { outcome: 'refused', problem: 'bad-label', message: error.message };
  }
}

async function ensureLabel(
  { datasets: { classes } }: DatasetDeps,
  accountId: number,
  { id, task }: Dataset,
  label: string | undefined,
): Promise<readonly ImageLabel[] | null> {
  if (label === undefined || label === '') return null;
  if (task !== 'classification') {
    throw new ServiceError(
      'wrong_parameters',
      'label is for classification; set boxes with …/images/ID/labels',
    );
  }
  const [found] = (await classes.ensure(accountId, id, [label])).classes.values();
  return found ? [{ classId: found.id, box: null }] : null;
}

async function addHeld(
  adding: Adding,
  given: {
    readonly fileName: string;
    readonly image: HeldImage | null;
    readonly labels: readonly ImageLabel[] | null;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
  },
): Promise<Verdict> {
  const { fileName, image, labels, maxBytes, signal } = given;
  if (image === null) {
    const message = `the file is larger than ${maxBytes} bytes`;
    return toVerdict(fileName, { outcome: 'refused', problem: 'too-large', message });
  }
  const added = await adding.add(
    { fileName, source: image.source, split: null, label: () => ({ labels }) },
    { priority: 'interactive', signal },
  );
  return toVerdict(fileName, added);
}

interface AddressInput {
  readonly url: string;
  readonly labels: readonly ImageLabel[] | null;
  readonly accountId: number;
  readonly signal: AbortSignal;
}

/** Whether it is no fault of the file: the request fails, and not that file alone. */
function isForAll({ code }: ServiceError): boolean {
  return code === 'service_busy' || code === 'too_many_requests';
}

async function addByAddress(
  { fetchImage }: DatasetDeps,
  adding: Adding,
  { url, labels, signal, accountId }: AddressInput,
): Promise<Verdict> {
  let image: HeldImage;
  try {
    image = await fetchImage(url, signal, accountId);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError) || isForAll(error)) throw error;
    return toVerdict(url, { outcome: 'refused', problem: error.code, message: error.message });
  }
  try {
    const added = await adding.add(
      { fileName: new URL(url).pathname, source: image.source, split: null, label: () => ({ labels }) },
      { priority: 'interactive', signal },
    );
    return toVerdict(url, added);
  } finally {
    await image.dispose();
  }
}

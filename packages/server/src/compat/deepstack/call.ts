import type { ImageSource } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import { readApiKey } from '../../http/common/key.js';
import type { FilesForm } from '../../intake/files-form.js';
import { defaultThresholds } from '../../recognition/task-calls.js';
import type { CompatAnswer, CompatDeps, CompatRequest } from '../common/compat-route.js';
import { type CompatForm, withCompatForm } from '../common/read-form.js';

export interface DeepstackCall extends CompatForm {
  /** The client's, or the least that the key allows. */
  readonly minConfidence: number;
  /** The same of similarities, for which the perception decides where nobody asks for more. */
  readonly minSimilarity: number;
  readonly signal: AbortSignal;
  /** By the clock of `performance`. */
  readonly startedMs: number;
}

/** Images that a face is registered with in one request. */
const maxFiles = 20;

/** Receives the form of a client of DeepStack, whose key is a field of it, often behind the image. */
export function withDeepstackForm(
  deps: CompatDeps,
  request: CompatRequest,
  signal: AbortSignal,
  work: (call: DeepstackCall) => Promise<CompatAnswer>,
): Promise<CompatAnswer> {
  const startedMs = performance.now();
  const key = readApiKey(request.query, request.headers, ['api_key', 'apikey']);
  const options = { protocol: 'deepstack', key, keyField: 'api_key', maxFiles } as const;
  return withCompatForm(deps, request, signal, options, ({ access, form }) => {
    const asked = readConfidence(form.fields['min_confidence']);
    const least = access.settings.minConfidence ?? 0;
    const minConfidence = Math.max(asked ?? defaultThresholds.minScore, least);
    return work({
      ...{ access, form, minConfidence, signal, startedMs },
      minSimilarity: Math.max(asked ?? 0, least),
    });
  });
}

/** What is no number is as if it were not given: clients send `""` and `None`, percentages and decimal commas. */
function readConfidence(text = ''): number | null {
  const trimmed = text.trim();
  const isPercentage = trimmed.endsWith('%');
  const digits = isPercentage ? trimmed.slice(0, -1).trim() : trimmed;
  const value = digits === '' ? Number.NaN : Number(digits.replace(',', '.'));
  if (!(value >= 0 && value <= 100)) return null;
  return isPercentage || value > 1 ? value / 100 : value;
}

/** Throws `no_file`. */
export function onlyImage({ files }: FilesForm): ImageSource {
  const [first] = files;
  if (first === undefined) throw new ServiceError('no_file', 'no image: send it as the file image');
  return first.image.source;
}

import type { CompatProtocol } from '../../accounts/compat-settings.js';
import { siteOf } from '../../http/common/rate-limits.js';
import { type FilesForm, readFilesForm } from '../../intake/files-form.js';
import { hasBody } from '../../intake/read-body.js';
import type { Spool } from '../../intake/spool.js';
import type { CompatAccess } from '../compat-keys.js';
import { type CompatDeps, type CompatRequest, identifyCompat } from './compat-route.js';

export interface CompatForm {
  readonly access: CompatAccess;
  readonly form: FilesForm;
}

interface FormOptions {
  readonly protocol: CompatProtocol;
  /** Of the query or a header; the form is then received for the account alone. */
  readonly key: string | undefined;
  /** The key among the fields of the form, wherever it is. */
  readonly keyField?: string;
  readonly maxFiles: number;
}

/** Bodies without a known key have a share of the spool, as an account has. */
const ofUnknown = (spool: Spool) => spool.of(0);
const empty: FilesForm = { fields: {}, files: [], dispose: async () => undefined };

/**
 * Receives a form for the time of `work`. A key that came before the body is looked at first; one in the form decides when the form
 * is there, of which a few at once are received so. Throws what forms, keys and rate limits throw.
 */
export async function withCompatForm<T>(
  deps: CompatDeps,
  request: CompatRequest,
  signal: AbortSignal,
  { protocol, key, keyField, maxFiles }: FormOptions,
  work: (received: CompatForm) => Promise<T>,
): Promise<T> {
  const { settings, spool } = deps;
  const limits = {
    maxImageBytes: settings.maxImageBytes,
    maxTextBytes: settings.maxJsonBytes,
    maxBytes: settings.maxImageBytes * Math.min(maxFiles, 2),
    maxFiles,
  };
  const read = async (of: Spool, until: AbortSignal): Promise<FilesForm> =>
    hasForm(request) ? readFilesForm(request.raw, of, limits, until) : empty;
  const isKnown = key !== undefined || deps.keyless !== undefined || keyField === undefined;
  const known = isKnown ? await identifyCompat(request, key, protocol, deps) : null;
  if (known) await deps.ledger.checkCallsLeft(known.caller);
  const form = known
    ? await read(spool.of(known.caller.accountId), signal)
    : await deps.unknownBodies.receive(siteOf(request), signal, (until) => read(ofUnknown(spool), until));
  try {
    const found = form.fields[keyField ?? ''];
    const access = known ?? (await identifyCompat(request, found || undefined, protocol, deps));
    // It may have come for a minute, and the key been revoked meanwhile.
    if (known) await request.requireAccess();
    return await work({ access, form });
  } finally {
    await form.dispose();
  }
}

/** Whether the body of a request is a form, of either type. */
export function hasForm({ headers, raw }: CompatRequest): boolean {
  return (
    /^\s*(multipart\/|application\/x-www-form-urlencoded)/i.test(headers['content-type'] ?? '') &&
    hasBody(raw)
  );
}

/** The fields of a form without images. Throws `bad_request` and `file_too_large`. */
export async function readFields(
  deps: CompatDeps,
  request: CompatRequest,
  accountId: number,
  signal: AbortSignal,
): Promise<FilesForm['fields']> {
  const limits = { maxImageBytes: 0, maxTextBytes: 0, maxBytes: 0, maxFiles: 0 };
  const form = await readFilesForm(request.raw, deps.spool.of(accountId), limits, signal);
  await form.dispose();
  return form.fields;
}

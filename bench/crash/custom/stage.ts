import { api } from '../../load/api-kinds.js';
import { readObject } from '../../load/outcome.js';
import type { Sent, Visitor } from '../../load/visitor.js';
import type { CustomLedger } from './ledger.js';

/** What an operation on datasets and models needs. */
export interface CustomStage {
  readonly visitor: Visitor;
  readonly key: string;
  /** Digest of the files of a version; null where it has none. */
  readonly digestVersion: (uid: string) => Promise<string | null>;
  readonly ledger: CustomLedger;
  /** Whether a fault may be the reason of any answer of 503: what was asked for is done or not. */
  readonly areFaultsExpected?: boolean;
}

export interface ApiAnswer {
  /** As `outcomeOf` returns it. */
  readonly outcome: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A call of the management API, with a body of JSON or a form. */
export async function call(
  { visitor, key }: Pick<CustomStage, 'visitor' | 'key'>,
  method: Sent['method'],
  path: string,
  body?: object,
): Promise<ApiAnswer> {
  const isForm = body instanceof FormData;
  const plain = api(key, method, path, body === undefined || isForm ? undefined : JSON.stringify(body));
  const { outcome, text } = await visitor.ask(
    isForm ? { ...plain, ...(await formBody(plain, body)) } : plain,
  );
  return { outcome, json: readObject(text) };
}

/** Whether the call has the expected answer; others are recorded, except those that a fault explains. */
export function isAnswered(
  { ledger, areFaultsExpected = false }: Pick<CustomStage, 'ledger' | 'areFaultsExpected'>,
  what: string,
  { outcome, json }: ApiAnswer,
  ...answers: readonly string[]
): boolean {
  const [good, ...others] = answers;
  if (outcome === good) return true;
  if (!isUnknown(outcome, areFaultsExpected) && !others.includes(outcome))
    ledger.wrong.push(`${what} was answered ${outcome}: ${String(json['detail'])}`);
  return false;
}

/** Whether an answer leaves open what was done. */
export function isUnknown(outcome: string, areFaultsExpected = false): boolean {
  return outcome.startsWith('failed') || (areFaultsExpected && outcome.startsWith('503'));
}

export function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(readObject) : [];
}

/** A file of a form. */
export function filePart(bytes: Uint8Array): Blob {
  return new Blob([new Uint8Array(bytes)]);
}

async function formBody({ headers }: Sent, form: FormData): Promise<Pick<Sent, 'headers' | 'body'>> {
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: { ...headers, 'content-type': type }, body: Buffer.from(await encoded.arrayBuffer()) };
}

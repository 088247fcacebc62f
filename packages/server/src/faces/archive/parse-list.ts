import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { createPauses } from '../../core/work-pauses.js';
import { JsonError, readJsonArrays } from '../../storage/archive/json-arrays.js';
import { recordsInMember, refuseArchive } from './format.js';

/** Characters of one element: a vector, or two long names. */
const maxElementLength = 80_000;
const pieceBytes = 16 * 1024;

/**
 * The elements of a member that is a list, parsed one at a time, so that other work goes on meanwhile and nothing is built that an export
 * does not write. Throws `bad_request` for a member that is not as an export writes it.
 */
export async function parseList<Element extends TSchema>(
  schema: Element,
  name: string,
  bytes: Uint8Array,
): Promise<readonly Static<Element>[]> {
  const elements: Static<Element>[] = [];
  const refuse = () => refuseArchive(`its ${name} is not as an export writes it`);
  const take = (element: unknown) => {
    if (elements.length === recordsInMember || !Value.Check(schema, element)) throw refuse();
    // Nothing but what the schema names.
    elements.push(Value.Clean(schema, element) as Static<Element>);
  };
  try {
    const arrays = await readJsonArrays(piecesOf(bytes), name, { list: take }, { maxElementLength });
    if (!arrays?.has('list')) throw refuse();
  } catch (error) {
    throw error instanceof JsonError ? refuseArchive(`its ${name} is no JSON of an export`, error) : error;
  }
  return elements;
}

/** The list as a member of an object. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<string, void, undefined> {
  const pause = createPauses();
  const decoder = new TextDecoder();
  yield '{"list":';
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
    await pause();
  }
  yield `${decoder.decode()}}`;
}

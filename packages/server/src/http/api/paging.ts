import type { FastifyReply } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import { createPauses } from '../../core/work-pauses.js';
import type { Page, PageRequest } from '../../storage/page.js';

/** A list of which each answer holds a page: its query, its answer, and the position of the next page as a cursor. */

const maxLimit = 100;
const defaultLimit = 50;

/** Query fields of every such list. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      default: defaultLimit,
      description: `an integer from 1 to ${maxLimit}`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,300}$',
      description: 'the next_cursor of the answer before; without it the list begins',
    }),
  ),
};

export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'for the next page, as cursor; null: this is the last',
});

/** The schema of an answer that holds a page. */
export function PageOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Object({ data: Type.Array(item), next_cursor: NextCursor }, { description });
}

interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The page that a query asks for. Throws `wrong_parameters` for a cursor that the list did not answer. */
export function pageRequest<Position extends TSchema>(
  position: Position,
  { limit = defaultLimit, cursor }: PageQuery,
): PageRequest<Static<Position>> {
  return { limit, after: readCursor(position, cursor) };
}

/** A page as it is answered. */
export function toPageAnswer<Item, Answer>(
  { items, next }: Page<Item, unknown>,
  toAnswer: (item: Item) => Answer,
): { data: Answer[]; next_cursor: string | null } {
  return { data: items.map(toAnswer), next_cursor: toNextCursor(next) };
}

/** The same of items that may be large: each is made and serialised by itself, so that others are served meanwhile. */
export async function toLargePageAnswer<Item, Answer>(
  reply: FastifyReply,
  { items, next }: Page<Item, unknown>,
  toAnswer: (item: Item) => Answer,
): Promise<{ data: Answer[]; next_cursor: string | null }> {
  const pause = createPauses();
  const data: Answer[] = [];
  const texts: string[] = [];
  for (const item of items) {
    const answer = toAnswer(item);
    data.push(answer);
    texts.push(JSON.stringify(answer));
    await pause();
  }
  const next_cursor = toNextCursor(next);
  const text = `{"data":[${texts.join(',')}],"next_cursor":${JSON.stringify(next_cursor)}}`;
  reply.type('application/json; charset=utf-8').serializer(() => text);
  return { data, next_cursor };
}

/** A position as text that clients send back unread. It opens nothing: every list is of one account anyway. */
export function toNextCursor(position: unknown): string | null {
  return position === null ? null : Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor<Position extends TSchema>(
  schema: Position,
  cursor: string | undefined,
): Static<Position> | undefined {
  if (cursor === undefined) return undefined;
  const position = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Value.Check(schema, position)) {
    throw new ServiceError('wrong_parameters', 'cursor must be a next_cursor that this list answered');
  }
  return position;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';

/** A position in a list as text that clients hand back unread. It opens nothing: every list is of one account anyway. */
export function writeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position of a cursor; undefined without one. Throws `wrong_parameters` for what `writeCursor` did not write. */
export function readCursor<Position extends TSchema>(
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

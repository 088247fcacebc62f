import { randomUUID } from 'node:crypto';
import { checkName } from '../../accounts/names.js';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { Database } from '../../storage/database.js';
import type { Model } from './model.js';
import { createModelRows } from './model-rows.js';

export const maxDescriptionLength = 2000;

/** The models of accounts. One of another account is `not_found`, as one that there is not. */
export type Models = ReturnType<typeof createModels>;

export function createModels({
  database,
  clock,
  limits,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Settings, 'accountMaxModels'>;
}) {
  const rows = createModelRows({ database, clock });
  return {
    read: rows.read,
    /** The newest first; a position is an id. */
    list: rows.list,
    /** By number or UID; null when there is none. */
    find: rows.find,

    /** Throws `account_full`. */
    async create(
      accountId: number,
      { name, description, task }: Pick<Model, 'name' | 'description' | 'task'>,
    ): Promise<Model> {
      const id = await rows.insert(
        accountId,
        {
          uid: randomUUID(),
          name: checkName('name', name),
          description: checkDescription(description),
          task,
          dataset_id: null,
          version: null,
          deleted_at: null,
        },
        { max: limits.accountMaxModels, plural: 'models' },
      );
      return rows.read(accountId, id);
    },

    change: async (
      accountId: number,
      id: number,
      { name, description }: Partial<Pick<Model, 'name' | 'description'>>,
    ): Promise<Model> =>
      rows.update(accountId, id, {
        ...(name === undefined ? {} : { name: checkName('name', name) }),
        ...(description === undefined ? {} : { description: checkDescription(description) }),
      }),
  };
}

/** Trimmed, at most `maxDescriptionLength` characters; line breaks and tabs may be in it. Throws `wrong_parameters`. */
function checkDescription(text: string): string {
  const description = text.trim();
  const isPlain = !/\p{Cc}|\p{Cs}/u.test(description.replaceAll(/[\n\r\t]/g, ''));
  if (isPlain && [...description].length <= maxDescriptionLength) return description;
  throw new ServiceError(
    'wrong_parameters',
    `description must have at most ${maxDescriptionLength} characters, control characters other than line breaks and tabs not among them`,
  );
}

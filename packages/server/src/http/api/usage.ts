import { Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import { callerOf } from './caller.js';
import { Day, exactly, fromDay, Id, Operation } from './fields.js';
import { NextCursor, pageRequest, paging, toPageAnswer } from './paging.js';
import type { ApiDeps, ApiScope } from './scope.js';

const dayMs = 86_400_000;
/** Days that are answered unless the request says which, today among them. */
const defaultDays = 30;

const Failed = {
  failed: Type.Integer({
    description:
      'calls that were ended while they ran, by a limit, a crash, a time-out or their client; they do not count in calls',
  }),
  failed_processor_seconds: Type.Number({ description: 'processor time that those took' }),
};

const UsageRow = Type.Object(
  {
    day: Type.String({ format: 'date', examples: ['2026-01-31'] }),
    key_id: Id,
    key_name: Type.String({ description: 'of the key; web account: the pages of one of its people' }),
    operation: Operation,
    calls: Type.Integer(),
    ...Failed,
  },
  { title: 'UsageRow', description: 'Calls that counted, of one day (UTC), key and operation' },
);
const Frames = Type.Object(
  {
    today: Type.Integer({ description: 'since midnight UTC' }),
    limit_per_day: Type.Union([Type.Integer(), Type.Null()], { description: 'null: no limit' }),
  },
  {
    title: 'FramesToday',
    description: 'Frames of streams and videos that were analysed, counted ahead in blocks',
  },
);
export const Usage = Type.Object(
  {
    frames: Frames,
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    total: Type.Integer({ description: 'the calls of all pages together' }),
    data: Type.Array(UsageRow),
    next_cursor: NextCursor,
  },
  { title: 'UsagePage', description: 'A page of usage' },
);
const Position = Type.Tuple([Day('of a row'), Id, Operation]);

const GroupBy = Type.Enum(['day', 'operation', 'key'], { description: 'day, operation or key' });
export const UsageSums = Type.Object(
  {
    frames: Frames,
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    total: Type.Integer({ description: 'all calls together' }),
    group_by: GroupBy,
    data: Type.Array(
      Type.Object({
        day: Type.Optional(Type.String({ format: 'date' })),
        operation: Type.Optional(Operation),
        key_id: Type.Optional(Id),
        key_name: Type.Optional(Type.String({ description: 'beside key_id' })),
        calls: Type.Integer(),
        ...Failed,
      }),
      { description: 'days in their order; operations and keys by calls, the most first' },
    ),
    next_cursor: Type.Null({ description: 'all of it is here' }),
  },
  { title: 'UsageSums', description: 'Usage, summed' },
);

/** Calls that counted, by day, key and operation. */
export function addUsageRoutes(app: ApiScope, { accounts, clock, frameQuota }: ApiDeps): void {
  app.get('/usage', {
    config: { right: 'read' },
    schema: {
      tags: ['account'],
      operationId: 'readUsage',
      summary: 'Calls that counted, by UTC day, key and operation, the newest day first, or summed',
      description:
        'Without `from` and `to`: the last 30 days, today among them. A day without calls has no row. With `group_by` one answer has all sums, and no pages.',
      querystring: exactly({
        ...paging,
        from: Type.Optional(Day('the first day')),
        to: Type.Optional(Day('the last day')),
        operation: Type.Optional(Operation),
        key_id: Type.Optional(Id),
        group_by: Type.Optional(GroupBy),
      }),
      response: { 200: Type.Union([Usage, UsageSums], { description: 'Usage, row by row or summed' }) },
    },
    async handler(request) {
      const { limit, cursor, operation, key_id: keyId, group_by: groupBy } = request.query;
      const { from: first, to: last } = request.query;
      const to = last === undefined ? toDay(clock()) : fromDay('to', last);
      const daysBefore = toDay(Math.max(0, Date.parse(to) - (defaultDays - 1) * dayMs));
      const from = first === undefined ? daysBefore : fromDay('from', first);
      if (from > to) throw new ServiceError('wrong_parameters', 'from must not lie after to');
      const { accountId } = callerOf(request);
      const wanted = { from, to, operation, keyId };
      const counted = await frameQuota.read(accountId);
      const frames = { today: counted.today, limit_per_day: counted.limitPerDay || null };
      if (groupBy !== undefined) {
        if (limit !== undefined || cursor !== undefined) {
          throw new ServiceError(
            'wrong_parameters',
            'limit and cursor have no use beside group_by: leave them out',
          );
        }
        const { total, sums } = await accounts.sumUsage(accountId, wanted, groupBy);
        return { frames, from, to, total, group_by: groupBy, data: sums.map(toSeconds), next_cursor: null };
      }
      const page = await accounts.readUsage(accountId, wanted, pageRequest(Position, { limit, cursor }));
      return {
        frames,
        from,
        to,
        total: page.total,
        ...toPageAnswer(page, (row) => ({
          day: row.day,
          key_id: row.keyId,
          key_name: row.keyName,
          operation: row.operation,
          calls: row.calls,
          failed: row.failed,
          failed_processor_seconds: row.failedCpuMs / 1000,
        })),
      };
    },
  });
}

function toSeconds<Row extends { readonly failedCpuMs: number }>({ failedCpuMs, ...row }: Row) {
  return { ...row, failed_processor_seconds: failedCpuMs / 1000 };
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

import { Type } from 'typebox';
import { callerOf } from './caller.js';
import { Id, Time, toTime } from './fields.js';
import type { ApiDeps, ApiScope } from './scope.js';

export const Account = Type.Object(
  {
    id: Id,
    name: Type.String(),
    plan: Type.Enum(['paid', 'trial']),
    calls: Type.Object({
      limit: Type.Union([Type.Integer(), Type.Null()], {
        description: 'what the account may make in all; null: no limit',
      }),
      used: Type.Integer(),
      left: Type.Union([Type.Integer(), Type.Null()], { description: 'null: no limit' }),
    }),
    result_days: Type.Integer({ description: 'days for which results are kept; 0: they are not' }),
    created_at: Time,
  },
  { title: 'Account', description: 'The account' },
);

export function addAccountRoutes(app: ApiScope, { accounts }: ApiDeps): void {
  app.get('/account', {
    config: { right: 'read' },
    schema: {
      tags: ['account'],
      operationId: 'readAccount',
      summary: 'The plan of this account, and its calls used and left',
      response: { 200: Account },
    },
    async handler(request) {
      const account = await accounts.readAccount(callerOf(request).accountId);
      const { id, name, plan, callLimit: limit, callsUsed: used, resultDays, createdAt } = account;
      return {
        id,
        name,
        plan,
        calls: { limit, used, left: limit === null ? null : Math.max(0, limit - used) },
        result_days: resultDays,
        created_at: toTime(createdAt),
      };
    },
  });
}

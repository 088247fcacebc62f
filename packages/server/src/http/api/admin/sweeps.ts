import { type Static, Type } from 'typebox';
import { storeNames } from '../../../storage/quarantine/store-names.js';
import { type SweepsState, sweepOutcomes } from '../../../storage/sweeps/sweep.js';
import { exactly, Time, TimeOrNull, toTime, toTimeOrNull } from '../fields.js';
import type { ApiDeps, ApiScope } from '../scope.js';

const Store = Type.Enum([...storeNames], {
  title: 'SweptStoreName',
  description: `one of ${storeNames.join(', ')}`,
});

export const SweepReport = Type.Object(
  {
    suspended: Type.Union([Type.Object({ until: Time, reason: Type.String() }), Type.Null()], {
      description: 'nothing is moved or deleted until then',
    }),
    quarantine_days: Type.Integer({ description: 'for which files that no row names are kept' }),
    stores: Type.Array(
      Type.Object({
        store: Store,
        quarantined: Type.Integer({ description: 'items in quarantine' }),
        blocked: Type.Union(
          [
            Type.Object({
              orphans: Type.Integer({ description: 'items that no row names' }),
              items: Type.Integer({ description: 'all items of the store' }),
              since: Time,
              is_confirmed: Type.Boolean(),
            }),
            Type.Null(),
          ],
          { description: 'the sweep found too much and waits for a confirmation' },
        ),
      }),
    ),
    sweeps: Type.Array(
      Type.Object({
        name: Type.String(),
        outcome: Type.Union([Type.Enum([...sweepOutcomes]), Type.Null()], {
          description: 'of the last run; null before the first one since the start',
        }),
        ran_at: TimeOrNull,
      }),
    ),
  },
  {
    title: 'SweepReport',
    description: 'How the sweeps are: what deletes data whose time is over, and files that no row names',
  },
);
const tags = ['admin'];
/** The last moment that a date can hold: of a suspension whose end cannot be read. */
const lastMs = 8_640_000_000_000_000;

/** Sweeps, for administrators. */
export function addAdminSweepRoutes(app: ApiScope, { installation: { sweeps } }: ApiDeps): void {
  app.get('/admin/sweeps', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'readSweeps',
      summary: 'How the sweeps are, what is in quarantine, what waits; for administrators',
      response: { 200: SweepReport },
    },
    handler: async () => toReport(await sweeps.state()),
  });

  app.post('/admin/sweeps/:store/confirm', {
    config: { right: 'administrator', audit: ['sweeps.confirm', 'sweep'] },
    schema: {
      tags,
      operationId: 'confirmSweep',
      summary: 'Lets a blocked sweep move the orphans that it found into quarantine; for administrators',
      params: Type.Object({ store: Store }),
      body: exactly({
        orphans: Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'the number of orphans that the sweep found',
        }),
      }),
      response: { 200: SweepReport },
    },
    handler: async (request) => toReport(await sweeps.confirm(request.params.store, request.body.orphans)),
  });
}

function toReport(state: SweepsState): Static<typeof SweepReport> {
  const { suspension, quarantineDays, stores, sweeps } = state;
  return {
    suspended: suspension && {
      until: toTime(Math.min(suspension.untilMs, lastMs)),
      reason: suspension.reason,
    },
    quarantine_days: quarantineDays,
    stores: stores.map(({ name, quarantined, blocked }) => ({
      store: name,
      quarantined,
      blocked: blocked && {
        orphans: blocked.orphans,
        items: blocked.items,
        since: toTime(blocked.sinceMs),
        is_confirmed: blocked.isConfirmed,
      },
    })),
    sweeps: sweeps.map(({ name, outcome, ranAtMs }) => ({ name, outcome, ran_at: toTimeOrNull(ranAtMs) })),
  };
}

import type { SweepReport, SweptStoreName } from '@lynceus/client';
import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { mdiAlert, mdiPauseCircle } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { sweepsKey, useSweeps } from './sweeps-section.js';

/** Alerts for administrators: sweeps are suspended, or one is blocked. */
export function SweepAlerts() {
  const { t } = useTranslation();
  const { data } = useSweeps();
  if (!data) return null;
  const { suspended, stores } = data;
  return (
    <>
      {suspended && (
        <Alert color="orange" icon={<Icon path={mdiPauseCircle} />} title={t('admin.sweeps.suspended')}>
          <Text size="sm">
            {t('admin.sweeps.until')} <Moment at={suspended.until} /> ({suspended.reason}).{' '}
            {t('admin.sweeps.resume')} <Code>npm run -s lynceus -- orphans resume</Code>
          </Text>
        </Alert>
      )}
      {stores.map(({ store, blocked }) => blocked && <Blocked key={store} store={store} {...blocked} />)}
    </>
  );
}

type BlockedSweep = NonNullable<SweepReport['stores'][number]['blocked']>;

function Blocked({ store, orphans, items, since, is_confirmed }: BlockedSweep & { store: SweptStoreName }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const move = useAction({
    mutationFn: () => client.admin.confirmSweep(store, { orphans }),
    onSuccess: (report) => queries.setQueryData(sweepsKey, report),
  });
  const counts = { store, orphans: number(orphans), items: number(items) };
  return (
    <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('admin.sweeps.blocked', counts)}>
      <Stack gap="sm" align="start">
        <Text size="sm">
          {t('admin.sweeps.blockedText')} {t('admin.sweeps.since')} <Moment at={since} />.
        </Text>
        {is_confirmed ? (
          <Text size="sm" fw={600}>
            {t('admin.sweeps.confirmed')}
          </Text>
        ) : (
          <Button
            color="red"
            variant="outline"
            size="compact-md"
            loading={move.isPending}
            onClick={() =>
              confirm({
                title: t('admin.sweeps.confirmTitle', counts),
                text: t('admin.sweeps.confirmText'),
                yes: t('admin.sweeps.confirmYes', counts),
                onYes: () => move.mutate(),
              })
            }
          >
            {t('admin.sweeps.confirm', counts)}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

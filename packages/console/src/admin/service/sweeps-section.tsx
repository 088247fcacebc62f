import type { SweepReport, SweptStoreName } from '@lynceus/client';
import { Alert, Badge, Button, Code, Stack, Table, Text, Title } from '@mantine/core';
import { mdiAlert, mdiPauseCircle } from '@mdi/js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { useShowError } from '../../kit/tell-error.js';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';
import { useClient } from '../../service/client.js';

const renewMs = 5000;
const queryKey = ['admin', 'sweeps'];
const colours = { done: 'lynx', failed: 'red', blocked: 'red', suspended: 'orange' } as const;

/** What is deleted periodically, files without a row in quarantine, and what waits for an administrator. */
export function SweepsSection() {
  const { t } = useTranslation();
  const client = useClient();
  const sweeps = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.admin.sweeps({ signal }),
    refetchInterval: renewMs,
  });
  return (
    <section aria-labelledby="admin-sweeps">
      <Title order={2} size="h4" id="admin-sweeps">
        {t('admin.sweeps.title')}
      </Title>
      <Answered query={sweeps}>{(report) => <Shown report={report} />}</Answered>
    </section>
  );
}

function Shown({ report }: { report: SweepReport }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { suspended, stores, sweeps, quarantine_days } = report;
  const quarantinedOf = new Map<string, number>(stores.map(({ store, quarantined }) => [store, quarantined]));
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('admin.sweeps.text', { days: number(quarantine_days) })}
      </Text>
      {suspended && (
        <Alert color="orange" icon={<Icon path={mdiPauseCircle} />} title={t('admin.sweeps.suspended')}>
          <Text size="sm">
            {t('admin.sweeps.until')} <Moment at={suspended.until} /> ({suspended.reason}).{' '}
            {t('admin.sweeps.resume')} <Code>npm run -s lynceus -- orphans resume</Code>
          </Text>
        </Alert>
      )}
      {stores.map(({ store, blocked }) => blocked && <Blocked key={store} store={store} {...blocked} />)}
      <WideTable label={t('admin.sweeps.title')}>
        <Table miw={520} style={{ fontVariantNumeric: 'tabular-nums' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('admin.sweeps.sweep')}</Table.Th>
              <Table.Th>{t('admin.sweeps.outcome')}</Table.Th>
              <Table.Th>{t('admin.sweeps.ran')}</Table.Th>
              <Table.Th ta="end">{t('admin.sweeps.quarantined')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sweeps.map(({ name, outcome, ran_at }) => {
              const quarantined = quarantinedOf.get(name);
              return (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>
                    {outcome && (
                      <Badge variant="light" color={colours[outcome]} tt="none">
                        {t(`admin.sweeps.outcomes.${outcome}`)}
                      </Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{ran_at && <Moment at={ran_at} />}</Table.Td>
                  <Table.Td ta="end">{quarantined === undefined ? '–' : number(quarantined)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Stack>
  );
}

type BlockedSweep = NonNullable<SweepReport['stores'][number]['blocked']>;

function Blocked({ store, orphans, items, since, is_confirmed }: BlockedSweep & { store: SweptStoreName }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const onError = useShowError();
  const move = useMutation({
    mutationFn: () => client.admin.confirmSweep(store, { orphans }),
    onSuccess: (report) => queries.setQueryData(queryKey, report),
    onError,
  });
  const told = { store, orphans: number(orphans), items: number(items) };
  return (
    <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('admin.sweeps.blocked', told)}>
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
                title: t('admin.sweeps.confirmTitle', told),
                text: t('admin.sweeps.confirmText'),
                yes: t('admin.sweeps.confirmYes', told),
                onYes: () => move.mutate(),
              })
            }
          >
            {t('admin.sweeps.confirm', told)}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

import type { AuditEntry } from '@lynceus/client';
import { Badge, Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('account.log.column.action'),
          width: 210,
          cell: (entry) => <Action entry={entry} />,
        },
        { name: t('account.log.column.at'), width: 130, cell: ({ at }) => <Moment at={at} /> },
        { name: t('account.log.column.who'), cell: ({ who }) => <Who who={who} /> },
        { name: t('account.log.column.subject'), cell: (entry) => <Subject entry={entry} /> },
        {
          name: t('account.log.column.address'),
          width: 140,
          cell: ({ address }) => <GivenName size="sm" name={address ?? '–'} />,
        },
      ]}
    />
  );
}

function Action({ entry: { action, state } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  return (
    <>
      <Code style={{ overflowWrap: 'anywhere' }}>{action}</Code>
      {state === 'begun' && (
        <Badge color="yellow" autoContrast title={t('account.log.begunText')}>
          {t('account.log.begun')}
        </Badge>
      )}
    </>
  );
}

function Who({ who }: { who: AuditEntry['who'] }) {
  const { t } = useTranslation();
  return (
    <>
      <GivenName name={who.name} size="sm" />
      {who.kind !== 'user' && (
        <Text size="xs" c="dimmed">
          {t(`account.log.kind.${who.kind}`)}
        </Text>
      )}
    </>
  );
}

function Subject({ entry: { subject, details } }: { entry: AuditEntry }) {
  return (
    <>
      {subject !== null && (
        <GivenName
          size="sm"
          name={[subject.kind.replaceAll('_', ' '), subject.id, subject.name].filter(Boolean).join(' · ')}
        />
      )}
      {details !== null && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {Object.entries(details)
            .map(([name, value]) => `${name}: ${showDetail(value)}`)
            .join(', ')}
        </Text>
      )}
    </>
  );
}

function showDetail(value: unknown): string {
  if (Array.isArray(value)) return value.map(showDetail).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

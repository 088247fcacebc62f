import type { AuditEntry } from '@lynceus/client';
import { Badge, Code, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';

export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const { at, who, action, subject, details, address, state } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <Moment at={at} />
      </Table.Td>
      <Table.Td>
        <GivenName name={who.name} size="sm" />
        {who.kind !== 'user' && (
          <Text size="xs" c="dimmed">
            {t(`account.log.kind.${who.kind}`)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Code>{action}</Code>
        {state === 'begun' && (
          <Badge color="yellow" autoContrast tt="none" title={t('account.log.begunText')}>
            {t('account.log.begun')}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>
        {subject !== null && (
          <GivenName
            size="sm"
            name={[subject.kind.replaceAll('_', ' '), subject.id, subject.name].filter(Boolean).join(' · ')}
          />
        )}
        {details !== null && (
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {Object.entries(details)
              .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
              .join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <GivenName size="sm" name={address ?? '–'} />
      </Table.Td>
    </Table.Tr>
  );
}

import { auditActions } from '@lynceus/client';
import { Group, Select, Text, TextInput } from '@mantine/core';
import { mdiTextBoxSearch } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataList } from '../../kit/data-list.js';
import { Empty } from '../../kit/empty.js';
import { usePages } from '../../kit/more.js';
import { usePager } from '../../kit/pager.js';
import { useClient } from '../../service/client.js';
import { AuditTable } from './audit-table.js';

const pageLength = 50;
const dayMs = 86_400_000;

/** Audit events of the account, the newest first, filtered by action, user and time. */
export function AuditLog() {
  const { t } = useTranslation();
  const client = useClient();
  const members = usePages(['members'], (cursor, signal) => client.members.page({ cursor, signal }));
  const [action, setAction] = useState<string | null>(null);
  const [userId, setUserId] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const filter = {
    ...(action === null ? {} : { action }),
    ...(userId === null ? {} : { userId: Number(userId) }),
    // Days are in the user's time zone; the last day is included.
    ...(from === '' ? {} : { from: new Date(`${from}T00:00:00`) }),
    ...(to === '' ? {} : { to: new Date(new Date(`${to}T00:00:00`).getTime() + dayMs) }),
  };
  const pager = usePager(['audit', action, userId, from, to], (cursor, signal) =>
    client.audit.page({ ...filter, limit: pageLength, cursor, signal }),
  );
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Text c="dimmed" mb="md">
        {t('account.log.text')}
      </Text>
      <Group mb="md" align="end">
        <Select
          flex="1 1 200px"
          maw={280}
          aria-label={t('account.log.action')}
          placeholder={t('account.log.action')}
          clearable
          searchable
          data={[...auditActions]}
          value={action}
          onChange={setAction}
        />
        <Select
          flex="1 1 200px"
          maw={280}
          aria-label={t('account.log.user')}
          placeholder={t('account.log.user')}
          clearable
          searchable
          data={(members.data ?? []).map(({ id, email }) => ({ value: String(id), label: email }))}
          value={userId}
          onChange={setUserId}
        />
        <TextInput
          type="date"
          flex="1 1 140px"
          maw={200}
          label={t('account.log.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          flex="1 1 140px"
          maw={200}
          label={t('account.log.to')}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
      <DataList
        list={pager}
        empty={
          <Empty
            icon={mdiTextBoxSearch}
            title={t(isFiltered ? 'account.log.noneFound' : 'account.log.emptyTitle')}
            text={t(isFiltered ? 'account.log.noneFoundText' : 'account.log.emptyText')}
          />
        }
      >
        {(entries) => <AuditTable entries={entries} />}
      </DataList>
    </>
  );
}

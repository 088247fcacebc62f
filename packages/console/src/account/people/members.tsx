import type { Member, Role } from '@lynceus/client';
import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';
import { More } from '../../kit/more.js';
import { NoneFound } from '../../kit/none-found.js';
import { RoleChoice } from '../../kit/role-choice.js';
import { SearchField } from '../../kit/search-field.js';
import { useShowError } from '../../kit/tell-error.js';
import { usePages } from '../../kit/use-pages.js';
import { useSearch } from '../../kit/use-search.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';

export function Members() {
  const { t } = useTranslation();
  const client = useClient();
  const search = useSearch();
  const list = usePages(
    ['members', 'found', search.wanted ?? ''],
    (cursor, signal) => client.members.page({ search: search.wanted, cursor, signal }),
    { isSearched: true },
  );
  return (
    <Answered query={list}>
      {(members) => (
        <>
          <Group mb="sm">
            <SearchField label={t('account.people.search')} search={search} />
          </Group>
          {members.length === 0 ? (
            <NoneFound search={search.wanted ?? ''} />
          ) : (
            <Table.ScrollContainer minWidth={680}>
              <Table verticalSpacing="sm" layout="fixed">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('account.people.column.who')}</Table.Th>
                    <Table.Th w={150}>{t('account.people.column.role')}</Table.Th>
                    <Table.Th w={130}>{t('account.people.column.factor')}</Table.Th>
                    <Table.Th w={190}>{t('account.people.column.seen')}</Table.Th>
                    <Table.Th w={100} aria-label={t('kit.acts')} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {members.map((member) => (
                    <MemberRow key={member.id} member={member} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
          <More list={list} />
        </>
      )}
    </Answered>
  );
}

function MemberRow({ member }: { member: Member }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const onError = useShowError();
  const { user } = useSession();
  const { id, name, email, role, has_totp, signed_in_at } = member;
  const isOwn = id === user.id;
  const renew = () => {
    if (isOwn) queries.invalidateQueries({ queryKey: sessionKey });
    return queries.invalidateQueries({ queryKey: ['members'] });
  };
  const change = useMutation({
    mutationFn: (wanted: Role) => client.members.change(id, { role: wanted }),
    onSuccess: renew,
    onError,
  });
  const remove = useMutation({ mutationFn: () => client.members.remove(id), onSuccess: renew, onError });
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <GivenName name={name} fw={500} size="sm" />
          {isOwn && (
            <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
              {t('account.people.you')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" truncate="end" title={email}>
          {email}
        </Text>
      </Table.Td>
      <Table.Td>
        <RoleChoice
          size="xs"
          aria-label={t('account.people.roleOf', { name })}
          value={role}
          disabled={change.isPending}
          onChange={(wanted) => wanted !== role && change.mutate(wanted)}
        />
      </Table.Td>
      <Table.Td>{t(has_totp ? 'account.people.yes' : 'account.people.no')}</Table.Td>
      <Table.Td>{signed_in_at === null ? t('account.people.never') : <Moment at={signed_in_at} />}</Table.Td>
      <Table.Td ta="end">
        {!isOwn && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            loading={remove.isPending}
            aria-label={`${t('account.people.remove')}: ${name}`}
            onClick={() =>
              confirm({
                title: t('account.people.removeTitle', { name }),
                text: t('account.people.removeText'),
                yes: t('account.people.remove'),
                onYes: () => remove.mutate(),
              })
            }
          >
            {t('account.people.remove')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

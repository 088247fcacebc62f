import { Anchor, Card, Group, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { GivenName } from '../../kit/given-name.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';

/** Plan, calls and days of the account. */
export function AccountFacts() {
  const { t } = useTranslation();
  const client = useClient();
  const { number } = useFormat();
  const account = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => client.account({ signal }),
  });
  return (
    <Card withBorder component="section" aria-labelledby="account-facts">
      <Title order={2} size="h4" mb="md" id="account-facts">
        {t('account.plan.title')}
      </Title>
      <Answered query={account}>
        {({ name, plan, calls, result_days }) => (
          <Table variant="vertical" layout="fixed" mb="md">
            <Table.Tbody>
              {[
                [t('account.plan.name'), <GivenName key="name" name={name} size="sm" />] as const,
                [t('account.plan.plan'), t(`account.plan.${plan}`)] as const,
                [t('account.plan.used'), number(calls.used)] as const,
                [
                  t('account.plan.left'),
                  calls.left === null ? t('account.plan.noLimit') : number(calls.left),
                ] as const,
                [
                  t('account.plan.resultDays'),
                  t('account.plan.days', { count: result_days, days: number(result_days) }),
                ] as const,
              ].map(([label, value]) => (
                <Table.Tr key={label}>
                  <Table.Th w={160}>{label}</Table.Th>
                  <Table.Td>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Answered>
      <Group>
        <Anchor component={Link} to="/keys">
          {t('account.plan.keys')}
        </Anchor>
        <Anchor component={Link} to="/usage">
          {t('account.plan.usage')}
        </Anchor>
      </Group>
    </Card>
  );
}

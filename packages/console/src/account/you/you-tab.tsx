import { Anchor, Card, Grid, Group, Table, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { showDone } from '../../kit/error-text.js';
import { GivenName } from '../../kit/given-name.js';
import { SaveForm } from '../../kit/save-form.js';
import { CurrentPassword, EmailField, UserNameField } from '../../kit/sign-in-fields.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';

/** Name and e-mail address of the signed-in user, and their account. */
export function YouTab() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <OwnUser />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <AccountFacts />
      </Grid.Col>
    </Grid>
  );
}

function OwnUser() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { user, account } = useSession();
  const form = useForm({ initialValues: { name: user.name, email: user.email, password: '' } });
  const isOtherEmail = form.values.email !== user.email;
  const save = useMutation({
    mutationFn: ({ name, email, password }: typeof form.values) =>
      client.ownUser.change({ name, ...(isOtherEmail ? { email, password } : {}) }),
    onSuccess: (session) => {
      queries.setQueryData(sessionKey, session);
      form.setValues({ name: session.user.name, email: session.user.email, password: '' });
      showDone(t('account.you.saved'));
    },
  });
  return (
    <Card withBorder component="section" aria-labelledby="account-you">
      <Title order={2} size="h4" mb="xs" id="account-you">
        {t('account.you.title')}
      </Title>
      <Text c="dimmed" mb="md" style={{ overflowWrap: 'anywhere' }}>
        {t('account.you.role', {
          role: t(`account.role.${user.role}`).toLowerCase(),
          account: account.name,
        })}
      </Text>
      <SaveForm form={form} save={save} submit={t('kit.save')}>
        <UserNameField {...form.getInputProps('name')} />
        <EmailField description={t('account.you.emailHint')} {...form.getInputProps('email')} />
        {isOtherEmail && (
          <CurrentPassword description={t('account.you.passwordHint')} {...form.getInputProps('password')} />
        )}
      </SaveForm>
    </Card>
  );
}

/** Plan, calls and days of the account. */
function AccountFacts() {
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

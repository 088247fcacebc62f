import { Button, Card, Grid, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiAccountPlus } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { Invite } from '../kit/invite.js';
import { PageHead } from '../kit/page-head.js';
import { SaveForm } from '../kit/save-form.js';
import { CurrentPassword, NewPassword } from '../kit/sign-in-fields.js';
import { useClient } from '../service/client.js';
import { useSession } from '../service/current-session.js';
import { AuditLog } from './log/audit-log.js';
import { SecondFactor } from './security/second-factor.js';
import { Sessions } from './security/sessions.js';
import { Invitations } from './users/invitations.js';
import { Members } from './users/members.js';
import { YouTab } from './you/you-tab.js';

const ofEveryUser = ['you', 'security'] as const;
const owners = [...ofEveryUser, 'users', 'log'] as const;

/** The user, their sign-in, and, for owners, other users and the audit log. */
export function AccountPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user } = useSession();
  const { tab: wanted } = useParams();
  const tabs = user.role === 'owner' ? owners : ofEveryUser;
  const tab = tabs.find((each) => each === wanted) ?? 'you';
  return (
    <>
      <PageHead title={t('account.title')} />
      <Tabs
        value={tab}
        onChange={(to) => navigate(to === 'you' ? '/account' : `/account/${to}`, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`account.tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="you">
          <YouTab />
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <SecurityTab />
        </Tabs.Panel>
        {user.role === 'owner' && (
          <>
            <Tabs.Panel value="users">
              <AccountUsersTab />
            </Tabs.Panel>
            <Tabs.Panel value="log">
              <AuditLog />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </>
  );
}

/** Password, second factor and sessions of the user. */
function SecurityTab() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap="lg">
          <SecondFactor />
          <ChangePassword />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Sessions />
      </Grid.Col>
    </Grid>
  );
}

/** The users of the account, and open invitations. */
function AccountUsersTab() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Stack gap="xl">
      <section aria-labelledby="account-members">
        <Group justify="space-between" mb="sm">
          <Title order={2} size="h4" id="account-members">
            {t('account.users.members')}
          </Title>
          <Button leftSection={<Icon path={mdiAccountPlus} size={18} />} onClick={() => setIsInviting(true)}>
            {t('account.users.invite')}
          </Button>
        </Group>
        <Members />
      </section>
      <Invitations />
      {isInviting && (
        <Invite
          title={t('account.users.inviteTitle')}
          firstRole="member"
          create={(wanted) => client.invitations.create(wanted)}
          onCreated={() => queries.invalidateQueries({ queryKey: ['invitations'] })}
          onClose={() => setIsInviting(false)}
        />
      )}
    </Stack>
  );
}

function ChangePassword() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { user } = useSession();
  const form = useForm({ initialValues: { current: '', password: '' } });
  const save = useMutation({
    mutationFn: (values: typeof form.values) => client.ownUser.changePassword(values),
    onSuccess: () => {
      form.reset();
      showDone(t('account.password.saved'));
      return queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <Card withBorder component="section" aria-labelledby="account-password">
      <Title order={2} size="h4" mb="xs" id="account-password">
        {t('account.password.title')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('account.password.text')}
      </Text>
      <SaveForm form={form} save={save} submit={t('account.password.save')}>
        {/* For password managers, which store a password by user name. */}
        <input type="text" hidden readOnly autoComplete="username" value={user.email} />
        <CurrentPassword {...form.getInputProps('current')} />
        <NewPassword {...form.getInputProps('password')} />
      </SaveForm>
    </Card>
  );
}

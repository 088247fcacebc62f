import { Button, Card, Grid, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';
import { AccountFacts } from './account-facts.js';

/** Name and mail address of whoever is signed in, and the account they belong to. */
export function YouTab() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Person />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <AccountFacts />
      </Grid.Col>
    </Grid>
  );
}

function Person() {
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
      notifications.show({ color: 'lynx', message: t('account.you.saved') });
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
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <TextInput
            label={t('account.you.name')}
            autoComplete="name"
            required
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <TextInput
            type="email"
            label={t('account.you.email')}
            description={t('account.you.emailHint')}
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          {isOtherEmail && (
            <PasswordInput
              label={t('account.you.password')}
              description={t('account.you.passwordHint')}
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
          )}
          <FormError error={save.error} />
          <Button type="submit" w="fit-content" loading={save.isPending}>
            {t('account.you.save')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

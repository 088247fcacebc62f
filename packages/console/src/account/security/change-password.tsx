import { Button, Card, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';

export function ChangePassword() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { user } = useSession();
  const form = useForm({ initialValues: { current: '', password: '' } });
  const save = useMutation({
    mutationFn: (values: typeof form.values) => client.ownUser.changePassword(values),
    onSuccess: () => {
      form.reset();
      notifications.show({ color: 'lynx', message: t('account.password.saved') });
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
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          {/* For managers of passwords, which keep them by name. */}
          <input type="text" hidden readOnly autoComplete="username" value={user.email} />
          <PasswordInput
            label={t('account.password.current')}
            autoComplete="current-password"
            required
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label={t('account.password.wanted')}
            description={t('account.password.hint')}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
          <FormError error={save.error} />
          <Button type="submit" w="fit-content" loading={save.isPending}>
            {t('account.password.save')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

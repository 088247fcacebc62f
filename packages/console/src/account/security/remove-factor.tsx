import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { sessionKey } from '../../service/session.js';
import { AnyCode, CurrentPassword } from './factor-fields.js';

export function RemoveFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const remove = useMutation({
    mutationFn: (values: typeof form.values) => client.ownUser.removeTotp(values),
    onError: () => form.setFieldValue('code', ''),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: sessionKey });
    },
  });
  return (
    <Window onClose={onClose} title={t('account.totp.removeTitle')}>
      <form onSubmit={form.onSubmit((values) => remove.mutate(values))}>
        <Stack>
          <Text size="sm">{t('account.totp.removeText')}</Text>
          <CurrentPassword {...form.getInputProps('password')} />
          <AnyCode {...form.getInputProps('code')} />
          <FormError error={remove.error} />
          <Button type="submit" color="red" loading={remove.isPending}>
            {t('account.totp.remove')}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}

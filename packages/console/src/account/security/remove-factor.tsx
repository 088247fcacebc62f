import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useTellError } from '../../kit/tell-error.js';
import { useClient } from '../../service/client.js';
import { sessionKey } from '../../service/session.js';

export function RemoveFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const tell = useTellError();
  const form = useForm({ initialValues: { password: '' } });
  const remove = useMutation({
    mutationFn: (values: typeof form.values) => client.ownUser.removeTotp(values),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: sessionKey });
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.totp.removeTitle')}
      closeButtonProps={{ 'aria-label': t('kit.close') }}
    >
      <form onSubmit={form.onSubmit((values) => remove.mutate(values))}>
        <Stack>
          <Text size="sm">{t('account.totp.removeText')}</Text>
          <PasswordInput
            label={t('account.totp.password')}
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('password')}
          />
          {remove.error && (
            <Alert color="red" role="alert">
              {tell(remove.error)}
            </Alert>
          )}
          <Button type="submit" color="red" loading={remove.isPending}>
            {t('account.totp.remove')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

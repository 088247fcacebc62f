import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { AnyCode } from './factor-fields.js';
import { RecoveryCodes } from './recovery-codes.js';

/** Other recovery codes, by a code; they are shown once. */
export function RenewCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useForm({ initialValues: { code: '' } });
  const renew = useMutation({
    mutationFn: ({ code }: typeof form.values) => client.ownUser.renewRecoveryCodes(code),
    onError: () => form.setFieldValue('code', ''),
  });
  const codes = renew.data?.recovery_codes;
  return (
    <Window
      onClose={onClose}
      title={t('account.totp.renewTitle')}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <form onSubmit={form.onSubmit((values) => renew.mutate(values))}>
          <Stack>
            <Text size="sm">{t('account.totp.renewText')}</Text>
            <AnyCode data-autofocus {...form.getInputProps('code')} />
            <FormError error={renew.error} />
            <Button type="submit" loading={renew.isPending}>
              {t('account.totp.renew')}
            </Button>
          </Stack>
        </form>
      )}
    </Window>
  );
}

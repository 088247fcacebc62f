import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../../kit/copied-text.js';
import { SaveForm } from '../../kit/save-form.js';
import { CodeField } from '../../kit/sign-in-fields.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** The recovery codes of a second factor, which the service shows once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text>{t('account.totp.codesText')}</Text>
      <SecretOnce label={t('account.totp.codes')} secret={codes.join('\n')} onDone={onClose} />
    </Stack>
  );
}

/** Replaces the recovery codes, after a code was given. */
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
        <SaveForm form={form} save={renew} submit={t('account.totp.renew')} isFullWidth>
          <Text size="sm">{t('account.totp.renewText')}</Text>
          <CodeField data-autofocus {...form.getInputProps('code')} />
        </SaveForm>
      )}
    </Window>
  );
}

import { Button, Center, Code, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { FormError } from '../../kit/form-error.js';
import { SecretOnce } from '../../kit/secret-once.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { sessionKey } from '../../service/session.js';
import { QrSquare } from './qr-square.js';

/** A secret for an authenticator, a code to prove it, and the recovery codes, shown once. */
export function SetUpFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const secret = useQuery({
    queryKey: ['totp-secret'],
    queryFn: ({ signal }) => client.ownUser.prepareTotp({ signal }),
    // Each asking makes another secret: the one that was scanned stays.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const form = useForm({ initialValues: { code: '' } });
  const confirm = useMutation({
    mutationFn: ({ code }: typeof form.values) => client.ownUser.confirmTotp(code.replaceAll(' ', '')),
    onError: () => form.setFieldValue('code', ''),
  });
  const codes = confirm.data?.recovery_codes;
  const close = () => {
    onClose();
    if (codes) queries.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <Window
      onClose={close}
      title={t('account.totp.title')}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
    >
      {codes ? (
        <Stack>
          <Text>{t('account.totp.codesText')}</Text>
          <SecretOnce label={t('account.totp.codes')} secret={codes.join('\n')} />
          <Button onClick={close}>{t('account.totp.done')}</Button>
        </Stack>
      ) : (
        <Answered query={secret}>
          {({ secret: text, uri }) => (
            <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
              <Stack>
                <Text>{t('account.totp.scan')}</Text>
                <Center>
                  <QrSquare text={uri} label={t('account.totp.square')} />
                </Center>
                <div>
                  <Text size="sm" c="dimmed">
                    {t('account.totp.secret')}
                  </Text>
                  <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
                </div>
                <TextInput
                  label={t('account.totp.code')}
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  required
                  maxLength={10}
                  data-autofocus
                  {...form.getInputProps('code')}
                />
                <FormError error={confirm.error} />
                <Button type="submit" loading={confirm.isPending}>
                  {t('account.totp.confirm')}
                </Button>
              </Stack>
            </form>
          )}
        </Answered>
      )}
    </Window>
  );
}

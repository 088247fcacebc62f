import { Center, Code, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { encode } from 'uqr';
import { SaveForm } from '../../kit/save-form.js';
import { CurrentPassword } from '../../kit/sign-in-fields.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { sessionKey } from '../../service/session.js';
import { RecoveryCodes } from './recovery-codes.js';

/** The password, a secret for an authenticator, a code to prove it, and the recovery codes, shown once. */
export function SetUpFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const prepare = useMutation({
    mutationFn: ({ password }: typeof form.values) => client.ownUser.prepareTotp({ password }),
    onSettled: () => form.setFieldValue('password', ''),
  });
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
        <RecoveryCodes codes={codes} onClose={close} />
      ) : prepare.data ? (
        <SaveForm key="code" form={form} save={confirm} submit={t('account.totp.confirm')} isFullWidth>
          <Text>{t('account.totp.scan')}</Text>
          <Center>
            <QrSquare text={prepare.data.uri} label={t('account.totp.square')} />
          </Center>
          <div>
            <Text size="sm" c="dimmed">
              {t('account.totp.secret')}
            </Text>
            <Code style={{ overflowWrap: 'anywhere' }}>{prepare.data.secret}</Code>
          </div>
          <TextInput
            label={t('account.totp.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={10}
            autoFocus
            {...form.getInputProps('code')}
          />
        </SaveForm>
      ) : (
        <SaveForm key="password" form={form} save={prepare} submit={t('account.totp.next')} isFullWidth>
          <Text size="sm">{t('account.totp.passwordText')}</Text>
          <CurrentPassword data-autofocus {...form.getInputProps('password')} />
        </SaveForm>
      )}
    </Window>
  );
}

/** Black on white in the dark scheme too: scanners need it. */
function QrSquare({ text, label }: { text: string; label: string }) {
  const { path, size } = qrPath(text);
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={208} height={208} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

/** The dark modules of a QR code as an SVG path, one unit each, with a margin of two; `size` units wide and high. */
export function qrPath(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: squares.join(''), size };
}

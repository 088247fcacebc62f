import { LynceusError } from '@lynceus/client';
import { Anchor, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { SaveForm } from '../kit/save-form.js';
import { CodeField, CurrentPassword, EmailField } from '../kit/sign-in-fields.js';
import { openClient } from '../service/client.js';
import { useBeginSession, useSessionQuery } from '../service/session.js';
import { Card } from './card.js';

export function SignInPage() {
  const { t } = useTranslation();
  const signInState = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => openClient.session.state({ signal }),
  });
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const begin = useBeginSession();
  const session = useSessionQuery();
  const next = ownPath(search.get('next'), window.location.origin);
  const form = useForm({ initialValues: { email: '', password: '', code: '' } });
  const signIn = useMutation({
    mutationFn: ({ email, password, code }: typeof form.values) =>
      openClient.session.signIn({ email, password, ...(code ? { code } : {}) }),
    onSuccess: (session) => {
      begin(session);
      navigate(next, { replace: true });
    },
  });
  const wantsCode = signIn.error instanceof LynceusError && signIn.error.code === 'code_needed';
  const asksCode = wantsCode || form.values.code !== '';

  if (session.data) return <Navigate to={next} replace />;
  if (signInState.data && !signInState.data.has_users) {
    return <Card title={t('signIn.noUsersTitle')} text={t('signIn.noUsersText')} />;
  }
  return (
    <Card title={t('signIn.title')}>
      <SaveForm
        form={form}
        save={{ ...signIn, error: wantsCode ? null : signIn.error }}
        submit={t('signIn.submit')}
        isFullWidth
      >
        <EmailField autoFocus {...form.getInputProps('email')} />
        <CurrentPassword label={t('signIn.password')} {...form.getInputProps('password')} />
        {asksCode && <CodeField autoFocus {...form.getInputProps('code')} />}
      </SaveForm>
      {signInState.data?.open_sign_up && (
        <Text size="sm">
          {t('signIn.noAccount')}{' '}
          <Anchor component={Link} to="/sign-up" underline="always">
            {t('signIn.signUp')}
          </Anchor>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('signIn.forgot')}
      </Text>
    </Card>
  );
}

/**
 * Where to continue after the sign-in: a path of this page, whatever the address says. Browsers drop tabs and line breaks and read `\` as
 * `/`, so the parsed address is checked, and not its text.
 */
export function ownPath(next: string | null, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const { origin: there, pathname, search, hash } = new URL(next, origin);
  return there === origin && !pathname.startsWith('//') ? pathname + search + hash : '/';
}

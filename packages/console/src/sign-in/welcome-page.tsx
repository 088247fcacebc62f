import { type Link, LynceusError } from '@lynceus/client';
import { Anchor, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as To, useNavigate } from 'react-router';
import { Answered } from '../kit/answered.js';
import { SaveForm } from '../kit/save-form.js';
import { CodeField, EmailField, NewPassword, UserNameField } from '../kit/sign-in-fields.js';
import { openClient } from '../service/client.js';
import { useBeginSession } from '../service/session.js';
import { Card } from './card.js';

/** The page of a one-time link: the first administrator, an invitation, or a password reset. */
export function WelcomePage() {
  const { t } = useTranslation();
  // The token is in the fragment, which reaches no log; it is read once.
  const [token] = useState(() => window.location.hash.slice(1));
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => openClient.links.look(token),
    retry: false,
  });
  if (link.error instanceof LynceusError && link.error.httpStatus !== null && link.error.httpStatus < 500) {
    return (
      <Card title={t('signIn.welcome.gone')} text={t('signIn.welcome.goneText')}>
        <Text size="sm">
          {t('signIn.haveAccount')}{' '}
          <Anchor component={To} to="/" underline="always">
            {t('signIn.submit')}
          </Anchor>
        </Text>
      </Card>
    );
  }
  return <Answered query={link}>{(found) => <UseLink token={token} link={found} />}</Answered>;
}

function UseLink({ token, link }: { token: string; link: Link }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const begin = useBeginSession();
  const isReset = link.kind === 'reset';
  // Only the first link asks for an e-mail address; invitations and resets have one.
  const given = ({ email, name }: { email: string; name: string }) => {
    if (link.kind === 'first') return { email, name };
    return isReset ? {} : { name };
  };
  const form = useForm({ initialValues: { email: link.email ?? '', name: '', password: '', code: '' } });
  const use = useMutation({
    mutationFn: ({ email, name, password, code }: typeof form.values) =>
      openClient.links.use(token, {
        password,
        ...given({ email, name }),
        ...(link.needs_code ? { code } : {}),
      }),
    onSuccess: (session) => {
      begin(session);
      navigate('/', { replace: true });
    },
  });
  const title = t(`signIn.welcome.${link.kind}`, { account: link.account ?? '' });
  const text = link.kind === 'first' ? { text: t('signIn.welcome.firstText') } : {};
  return (
    <Card title={title} {...text}>
      <SaveForm
        form={form}
        save={use}
        submit={t(isReset ? 'signIn.welcome.save' : 'signIn.welcome.begin')}
        isFullWidth
      >
        {!isReset && <UserNameField {...form.getInputProps('name')} />}
        <EmailField readOnly={link.kind !== 'first'} {...form.getInputProps('email')} />
        <NewPassword {...form.getInputProps('password')} />
        {link.needs_code && <CodeField {...form.getInputProps('code')} />}
      </SaveForm>
    </Card>
  );
}

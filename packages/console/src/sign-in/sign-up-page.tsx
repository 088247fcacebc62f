import { Anchor, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { SaveForm } from '../kit/save-form.js';
import { EmailField, NewPassword, UserNameField } from '../kit/sign-in-fields.js';
import { openClient } from '../service/client.js';
import { useBeginSession } from '../service/session.js';
import { Card } from './card.js';

/** Sign-up, where the administrator has enabled it. */
export function SignUpPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const begin = useBeginSession();
  const form = useForm({ initialValues: { account: '', name: '', email: '', password: '' } });
  const signUp = useMutation({
    mutationFn: (values: typeof form.values) => openClient.session.signUp(values),
    onSuccess: (session) => {
      begin(session);
      navigate('/', { replace: true });
    },
  });
  return (
    <Card title={t('signIn.signUpTitle')}>
      <SaveForm form={form} save={signUp} submit={t('signIn.create')} isFullWidth>
        <TextInput
          label={t('signIn.accountName')}
          description={t('signIn.accountNameHint')}
          autoComplete="organization"
          required
          {...form.getInputProps('account')}
        />
        <UserNameField {...form.getInputProps('name')} />
        <EmailField {...form.getInputProps('email')} />
        <NewPassword label={t('signIn.password')} {...form.getInputProps('password')} />
      </SaveForm>
      <Text size="sm">
        {t('signIn.haveAccount')}{' '}
        <Anchor component={Link} to="/sign-in" underline="always">
          {t('signIn.submit')}
        </Anchor>
      </Text>
    </Card>
  );
}

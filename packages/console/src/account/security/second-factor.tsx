import { Badge, Button, Card, Group, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiCellphoneKey } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { SaveForm } from '../../kit/save-form.js';
import { CodeField, CurrentPassword } from '../../kit/sign-in-fields.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';
import { RenewCodes } from './recovery-codes.js';

const SetUpFactor = lazy(() =>
  import('./set-up-factor.js').then(({ SetUpFactor }) => ({ default: SetUpFactor })),
);

export function SecondFactor() {
  const { t } = useTranslation();
  const { user } = useSession();
  const [open, setOpen] = useState<'set-up' | 'renew' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card withBorder component="section" aria-labelledby="account-factor">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="account-factor">
          {t('account.totp.title')}
        </Title>
        <Badge variant="light" color={user.has_totp ? 'lynx' : 'gray'}>
          {t(user.has_totp ? 'account.totp.on' : 'account.totp.off')}
        </Badge>
      </Group>
      <Text c="dimmed" mb="md">
        {t('account.totp.text')}
      </Text>
      {user.has_totp ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => setOpen('renew')}>
            {t('account.totp.renew')}
          </Button>
          <Button variant="default" onClick={() => setOpen('remove')}>
            {t('account.totp.remove')}
          </Button>
        </Group>
      ) : (
        <Button
          w="fit-content"
          leftSection={<Icon path={mdiCellphoneKey} size={18} />}
          onClick={() => setOpen('set-up')}
        >
          {t('account.totp.begin')}
        </Button>
      )}
      {open === 'set-up' && (
        <Suspense>
          <SetUpFactor onClose={close} />
        </Suspense>
      )}
      {open === 'renew' && <RenewCodes onClose={close} />}
      {open === 'remove' && <RemoveFactor onClose={close} />}
    </Card>
  );
}

function RemoveFactor({ onClose }: { onClose: () => void }) {
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
      <SaveForm form={form} save={remove} submit={t('account.totp.remove')} color="red" isFullWidth>
        <Text size="sm">{t('account.totp.removeText')}</Text>
        <CurrentPassword data-autofocus {...form.getInputProps('password')} />
        <CodeField {...form.getInputProps('code')} />
      </SaveForm>
    </Window>
  );
}

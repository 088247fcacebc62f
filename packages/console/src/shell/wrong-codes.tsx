import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { mdiShieldAlert } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useShowError } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { Moment } from '../kit/moment.js';
import { useClient } from '../service/client.js';
import { useSession } from '../service/current-session.js';
import { sessionKey } from '../service/session.js';

/** Somebody has the password and guesses codes: shown on every page until it is dismissed. */
export function WrongCodes() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const onError = useShowError();
  const { wrong_codes: wrong } = useSession();
  const dismiss = useMutation({
    mutationFn: () => client.ownUser.dismissWrongCodes(),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKey }),
    onError,
  });
  if (!wrong) return null;
  return (
    <Alert
      color="orange"
      mb="lg"
      icon={<Icon path={mdiShieldAlert} />}
      title={t('shell.wrongCodes.title', { count: wrong.count })}
      // The title's own orange on orange is too faint to read.
      styles={{ title: { color: 'inherit' } }}
    >
      <Stack gap="sm" align="start">
        <Text size="sm">
          {t('shell.wrongCodes.last')} <Moment at={wrong.last_at} />. {t('shell.wrongCodes.text')}
        </Text>
        <Group>
          <Button size="xs" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
            {t('shell.wrongCodes.dismiss')}
          </Button>
          <Anchor component={Link} to="/account/security" size="sm" underline="always">
            {t('shell.wrongCodes.change')}
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  );
}

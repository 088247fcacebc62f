import type { AdminAccount } from '@lynceus/client';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** Opens an account again whose deletion has not begun. */
export function UndeleteAccount({ account, onClose }: { account: AdminAccount; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const open = useMutation({
    mutationFn: () => client.admin.undeleteAccount(account.id),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['admin', 'accounts'] });
    },
  });
  return (
    <Window onClose={onClose} title={t('admin.accounts.undeleteTitle', { name: account.name })}>
      <Stack>
        <Text size="sm">{t('admin.accounts.undeleteText')}</Text>
        <FormError error={open.error} />
        <Button onClick={() => open.mutate()} loading={open.isPending} data-autofocus>
          {t('admin.accounts.undeleteYes')}
        </Button>
      </Stack>
    </Window>
  );
}

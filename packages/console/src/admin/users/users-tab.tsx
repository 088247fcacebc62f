import type { AdminUser } from '@lynceus/client';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { SecretOnce } from '../../kit/copied-text.js';
import { GivenName } from '../../kit/given-name.js';
import { useAction } from '../../kit/use-action.js';
import { UserTable } from '../../kit/user-table.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** All users of the service, with reset links for forgotten passwords. */
export function UsersTab() {
  const { t } = useTranslation();
  const client = useClient();
  const [created, setCreated] = useState<{ readonly name: string; readonly link: string } | null>(null);
  const reset = useAction({
    mutationFn: ({ id }: AdminUser) => client.admin.resetUser(id),
    onSuccess: ({ link }, { name }) => setCreated({ name, link }),
  });
  return (
    <>
      <UserTable
        queryKey={['admin', 'users']}
        readPage={client.admin.usersPage}
        mark={({ is_administrator }) => (is_administrator ? t('account.users.administrator') : null)}
        columns={[
          {
            name: t('admin.users.column.account'),
            width: 170,
            cell: ({ account }) => <GivenName name={account.name} size="sm" />,
          },
          {
            name: t('admin.users.column.role'),
            width: 90,
            cell: ({ role }) => t(`account.role.${role}`),
          },
        ]}
        acts={(user) => <Reset name={user.name} onReset={() => reset.mutate(user)} />}
      />
      {created && (
        <Window onClose={() => setCreated(null)} title={t('admin.users.reset')} closeOnClickOutside={false}>
          <Stack>
            <SecretOnce
              label={t('admin.users.resetCreated', { name: created.name })}
              secret={created.link}
              onDone={() => setCreated(null)}
            />
          </Stack>
        </Window>
      )}
    </>
  );
}

function Reset({ name, onReset }: { name: string; onReset: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={t('admin.users.resetNamed', { name })}
      onClick={() =>
        confirm({
          title: t('admin.users.resetTitle', { name }),
          text: t('admin.users.resetText'),
          yes: t('admin.users.resetYes'),
          onYes: onReset,
        })
      }
    >
      {t('admin.users.reset')}
    </Button>
  );
}

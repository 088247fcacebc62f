import type { AdminAccount } from '@lynceus/client';
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** Closes an account and starts its deletion, after its name was typed as confirmation. */
export function DeleteAccount({ account, onClose }: { account: AdminAccount; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [immediately, setImmediately] = useState(false);
  const remove = useMutation({
    mutationFn: () => client.admin.deleteAccount(account.id, { name, immediately }),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['admin', 'accounts'] });
    },
  });
  return (
    <Window onClose={onClose} title={t('admin.accounts.deleteTitle', { name: account.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{t('admin.accounts.deleteText')}</Text>
          <Text size="sm">
            {t(immediately ? 'admin.accounts.deleteNowText' : 'admin.accounts.deleteGrace')}
          </Text>
          <Checkbox
            label={t('admin.accounts.deleteNow')}
            checked={immediately}
            onChange={(event) => setImmediately(event.currentTarget.checked)}
          />
          <TextInput
            label={t('admin.accounts.deleteName')}
            required
            autoComplete="off"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FormError error={remove.error} />
          <Button
            type="submit"
            color="red"
            disabled={name.trim() !== account.name}
            loading={remove.isPending}
          >
            {t('admin.accounts.deleteYes')}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}

import type { AccessReceipt, KeyChoices, Member, MemberKey } from '@lynceus/client';
import { Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { showDone } from '../../kit/error-text.js';
import { GivenName } from '../../kit/given-name.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** Asks which keys of a user to revoke, before the user is removed or gets a role with fewer rights, and reports the result. */
export function RevokeAccess({
  member,
  title,
  text,
  yes,
  apply,
  onDone,
  onClose,
}: {
  member: Member;
  title: string;
  text: string;
  yes: string;
  apply: (choices: KeyChoices) => Promise<AccessReceipt>;
  onDone: () => unknown;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [revokes, setRevokes] = useState({ keys: true, drops: false, unknown: false });
  const keys = useQuery({
    queryKey: ['members', 'keys', member.id],
    queryFn: ({ signal }) => client.members.keys(member.id, { signal }),
    // The list of keys must be up to date.
    staleTime: 0,
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: () =>
      apply({
        keys: revokes.keys ? 'revoke' : 'keep',
        dropKeys: revokes.drops ? 'revoke' : 'keep',
        unknownKeys: revokes.unknown ? 'revoke' : 'keep',
      }),
    onSuccess: (receipt) => {
      const revoked = [receipt.keys, receipt.drop_keys, receipt.unknown_keys].reduce(
        (sum, keys) => sum + keys.revoked.length,
        0,
      );
      const withdrawn = receipt.invitations_withdrawn + receipt.links_withdrawn;
      if (revoked + withdrawn > 0) {
        showDone(t('account.users.revoked', { keys: revoked, links: withdrawn }));
      }
      for (const queryKey of [['invitations'], ['keys']]) queries.invalidateQueries({ queryKey });
      onClose();
      return onDone();
    },
  });
  return (
    <Window onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Answered query={keys}>
          {({ data, unknown }) => (
            <>
              <KeyChoice
                keys={data.filter(({ scope }) => scope === 'account')}
                label={t('account.users.revokeKeys')}
                hint={t('account.users.revokeKeysHint')}
                isChosen={revokes.keys}
                onChange={(isChosen) => setRevokes({ ...revokes, keys: isChosen })}
              />
              <KeyChoice
                keys={data.filter(({ scope }) => scope === 'drop')}
                label={t('account.users.revokeDropKeys')}
                hint={t('account.users.revokeDropKeysHint')}
                isChosen={revokes.drops}
                onChange={(isChosen) => setRevokes({ ...revokes, drops: isChosen })}
              />
              {data.length === 0 && (
                <Text size="sm" c="dimmed">
                  {t('account.users.noKeys')}
                </Text>
              )}
              <KeyChoice
                keys={unknown}
                label={t('account.users.revokeUnknownKeys')}
                hint={t('account.users.revokeUnknownKeysHint')}
                isChosen={revokes.unknown}
                onChange={(isChosen) => setRevokes({ ...revokes, unknown: isChosen })}
              />
              <FormError error={change.error} />
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  {t('kit.cancel')}
                </Button>
                <Button color="red" loading={change.isPending} onClick={() => change.mutate()}>
                  {yes}
                </Button>
              </Group>
            </>
          )}
        </Answered>
      </Stack>
    </Window>
  );
}

/** A list of keys with a choice to revoke them; nothing without keys. */
function KeyChoice({
  keys,
  label,
  hint,
  isChosen,
  onChange,
}: {
  keys: readonly MemberKey[];
  label: string;
  hint: string;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}) {
  if (keys.length === 0) return null;
  return (
    <Stack gap="xs">
      <Checkbox
        label={label}
        description={hint}
        checked={isChosen}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Stack
        component="ul"
        gap={4}
        pl={28}
        m={0}
        mah={180}
        style={{ listStyle: 'none', overflowY: 'auto' }}
        // So that the keyboard can scroll a long list.
        tabIndex={0}
      >
        {keys.map(({ id, name, prefix, drop }) => (
          <Group key={id} component="li" gap="xs" wrap="nowrap">
            <GivenName name={drop?.name ?? name} size="sm" />
            <Code style={{ flexShrink: 0 }}>{prefix}…</Code>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

import limits from 'api-limits:POST /api/keys';
import { Button, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CodeBlock, SecretOnce } from '../kit/copied-text.js';
import { numberLimits, textLimits } from '../kit/field-limits.js';
import { SaveForm } from '../kit/save-form.js';
import { Window } from '../kit/window.js';
import { serviceAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';
import { ClientFields, type ClientValues } from './client-fields.js';
import { clients } from './client-kinds.js';
import { useRememberKey } from './remembered-key.js';

/** Creates a key and shows it, once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const rememberKey = useRememberKey();
  const form = useForm<{ name: string; limit: number | ''; expires: string } & ClientValues>({
    initialValues: { name: '', limit: '', expires: '', use: 'own', perception: '' },
    validate: {
      limit: (limit) => (limit === 0 ? t('keys.limitTooLow') : null),
      perception: (perception, { use }) =>
        use !== 'own' && clients[use].faces === 'all' && !perception ? t('keys.needsPerception') : null,
    },
  });
  const create = useMutation({
    mutationFn: ({ name, limit, expires, use, perception }: typeof form.values) =>
      client.keys.create({
        name,
        ...(use === 'own'
          ? {}
          : { compat: { protocol: clients[use].protocol, perception: perception || null } }),
        callLimit: limit === '' ? null : limit,
        // The end of the day in the user's time zone.
        expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59.999`),
      }),
    onSuccess: ({ key }, { use }) => {
      // The pages call with keys of the account alone.
      if (use === 'own') rememberKey(key);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const { use } = form.getValues();
  const pasted = create.data && use !== 'own' ? clients[use].write(serviceAddress, create.data.key) : null;
  return (
    <Window
      onClose={onClose}
      title={t('keys.createTitle')}
      // A click beside the window does not lose a key that is not copied yet.
      closeOnClickOutside={!create.data}
    >
      {create.data ? (
        <Stack>
          <SecretOnce
            label={t('keys.created', { name: create.data.name })}
            secret={create.data.key}
            {...(pasted === null ? { onDone: onClose } : {})}
          />
          {pasted !== null && (
            <>
              <Text size="sm">{t('keys.paste')}</Text>
              <CodeBlock code={pasted} label={t('keys.paste')} />
              <Button onClick={onClose}>{t('kit.haveCopied')}</Button>
            </>
          )}
        </Stack>
      ) : (
        <SaveForm form={form} save={create} submit={t('keys.submit')} isFullWidth>
          <TextInput
            label={t('keys.name')}
            description={t('keys.nameHint')}
            data-autofocus
            {...textLimits(limits, 'name')}
            {...form.getInputProps('name')}
          />
          <ClientFields form={form} />
          <NumberInput
            label={t('keys.limit')}
            description={t('keys.limitHint')}
            placeholder={t('keys.noLimit')}
            thousandSeparator
            {...numberLimits(limits, 'callLimit')}
            {...form.getInputProps('limit')}
          />
          <TextInput
            type="date"
            label={t('keys.expires')}
            description={t('keys.expiresHint')}
            {...form.getInputProps('expires')}
          />
        </SaveForm>
      )}
    </Window>
  );
}

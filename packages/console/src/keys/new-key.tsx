import limits from 'api-limits:POST /api/keys';
import type { NewApiKey } from '@lynceus/client';
import { Button, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CodeBlock, SecretOnce } from '../kit/copied-text.js';
import { SchemaForm, useSchemaForm } from '../kit/schema-form.js';
import { Window } from '../kit/window.js';
import { serviceAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';
import { ClientFields, type ClientValues } from './client-fields.js';
import { clients } from './client-kinds.js';
import { useRememberKey } from './remembered-key.js';

interface KeyValues extends ClientValues {
  name: string;
  callLimit: number | '';
  /** A day. */
  expires: string;
}

/** Creates a key and shows it, once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const rememberKey = useRememberKey();
  const form = useSchemaForm<KeyValues, NewApiKey>({
    limits,
    initialValues: { name: '', callLimit: '', expires: '', use: 'own', perception: '' },
    validate: {
      callLimit: (limit) => (limit === 0 ? t('keys.limitTooLow') : null),
      perception: (perception, { use }) =>
        use !== 'own' && clients[use].faces === 'all' && !perception ? t('keys.needsPerception') : null,
    },
    save: ({ name, callLimit, expires, use, perception }) =>
      client.keys.create({
        name,
        ...(use === 'own'
          ? {}
          : { compat: { protocol: clients[use].protocol, perception: perception || null } }),
        callLimit: callLimit === '' ? null : callLimit,
        // The end of the day in the user's time zone.
        expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59.999`),
      }),
    onSaved: ({ key }, { use }) => {
      // The pages call with keys of the account alone.
      if (use === 'own') rememberKey(key);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const { saved: created } = form;
  const { use } = form.values;
  const pasted = created && use !== 'own' ? clients[use].write(serviceAddress, created.key) : null;
  return (
    <Window
      onClose={onClose}
      title={t('keys.createTitle')}
      // A click beside the window does not lose a key that is not copied yet.
      closeOnClickOutside={!created}
    >
      {created ? (
        <Stack>
          <SecretOnce
            label={t('keys.created', { name: created.name })}
            secret={created.key}
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
        <SchemaForm form={form} submit={t('keys.submit')} isFullWidth>
          <TextInput
            label={t('keys.name')}
            description={t('keys.nameHint')}
            data-autofocus
            {...form.text('name')}
          />
          <ClientFields form={form.form} />
          <NumberInput
            label={t('keys.limit')}
            description={t('keys.limitHint')}
            placeholder={t('keys.noLimit')}
            thousandSeparator
            {...form.number('callLimit')}
          />
          <TextInput
            type="date"
            label={t('keys.expires')}
            description={t('keys.expiresHint')}
            {...form.choice('expires')}
          />
        </SchemaForm>
      )}
    </Window>
  );
}

import limits from 'api-limits:POST /api/compat-listeners';
import type { CompatListener } from '@lynceus/client';
import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { protocolNames } from '../../keys/client-kinds.js';
import { showDone } from '../../kit/error-text.js';
import { isInLimits } from '../../kit/field-limits.js';
import { FormWindow, useSchemaForm } from '../../kit/schema-form.js';
import { useClient } from '../../service/client.js';

/** Keys that are offered; an account has few. */
const maxOffered = 100;
/** The choice of a key of another account, which is given by its id. */
const other = 'other';

interface ListenerValues {
  port: number | string;
  host: string;
  key: string;
  keyId: number | string;
  allowedNetworks: string[];
}

/** Opens a port for clients that send no key. */
export function ListenerForm({ ports, onClose }: { ports: string; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const keys = useQuery({
    queryKey: ['keys', 'offered'],
    queryFn: ({ signal }) => client.keys.page({ limit: maxOffered, signal }),
  });
  const form = useSchemaForm<ListenerValues, CompatListener>({
    limits,
    initialValues: { port: firstPort(ports), host: '0.0.0.0', key: '', keyId: '', allowedNetworks: [] },
    renamed: { key_id: 'key' },
    validate: {
      port: (port) => (isInLimits(limits, 'port', port) ? null : t('listeners.noPort')),
      key: (key) => (key === '' ? t('listeners.noKey') : null),
      keyId: (id, { key }) => (key !== other || Number(id) >= 1 ? null : t('listeners.noKey')),
      allowedNetworks: (networks) => (networks.length > 0 ? null : t('listeners.noNetworks')),
    },
    save: ({ port, host, key, keyId, allowedNetworks }) =>
      client.admin.compatListeners.create({
        port: Number(port),
        keyId: Number(key === other ? keyId : key),
        allowedNetworks,
        host: host.trim() || undefined,
      }),
    onSaved: ({ port }) => {
      showDone(t('listeners.opened', { port }));
      onClose();
      return queries.invalidateQueries({ queryKey: ['admin', 'listeners'] });
    },
  });
  const offered = (keys.data?.data ?? []).flatMap(({ id, name, compat, revoked_at }) =>
    compat && revoked_at === null
      ? [{ value: String(id), label: `${name} · ${protocolNames[compat.protocol]}` }]
      : [],
  );
  const key = form.choice('key');
  return (
    <FormWindow title={t('listeners.title')} form={form} submit={t('listeners.submit')} onClose={onClose}>
      <NumberInput
        label={t('listeners.port')}
        description={t('listeners.portHint', { ports })}
        data-autofocus
        {...form.number('port')}
      />
      <Select
        label={t('listeners.key')}
        description={t('listeners.keyHint')}
        required
        data={[...offered, { value: other, label: t('listeners.otherKey') }]}
        {...key}
        value={form.values.key || null}
        onChange={(chosen) => key.onChange(chosen ?? '')}
      />
      {form.values.key === other && (
        <NumberInput label={t('listeners.keyId')} required allowDecimal={false} {...form.choice('keyId')} />
      )}
      <TagsInput
        label={t('listeners.networks')}
        description={t('listeners.networksHint')}
        acceptValueOnBlur
        {...form.list('allowedNetworks')}
      />
      <TextInput label={t('listeners.host')} description={t('listeners.hostHint')} {...form.text('host')} />
    </FormWindow>
  );
}

/** The first of ports such as `5000,8000-8010`. */
function firstPort(ports: string): number | string {
  const [first] = /\d+/.exec(ports) ?? [];
  return first === undefined ? '' : Number(first);
}

import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { protocolNames } from '../../keys/client-kinds.js';
import { showDone } from '../../kit/error-text.js';
import { findFieldFault, markFieldFault } from '../../kit/field-fault.js';
import { SaveForm } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** Keys that are offered; an account has few. */
const maxOffered = 100;
/** The choice of a key of another account, which is given by its id. */
const other = 'other';

/** Fields of the form by the names that errors of the service begin with. */
const fieldNames = {
  port: 'port',
  host: 'host',
  key_id: 'key',
  allowed_networks: 'networks',
} as const satisfies Record<string, keyof ListenerValues>;

interface ListenerValues {
  port: number | string;
  host: string;
  key: string;
  keyId: number | string;
  networks: string[];
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
  const form = useForm<ListenerValues>({
    initialValues: { port: firstPort(ports), host: '0.0.0.0', key: '', keyId: '', networks: [] },
    validate: {
      port: (port) => (Number(port) >= 1 && Number(port) <= 65_535 ? null : t('listeners.noPort')),
      key: (key) => (key === '' ? t('listeners.noKey') : null),
      keyId: (id, { key }) => (key !== other || Number(id) >= 1 ? null : t('listeners.noKey')),
      networks: (networks) => (networks.length > 0 ? null : t('listeners.noNetworks')),
    },
  });
  const open = useMutation({
    mutationFn: ({ port, host, key, keyId, networks }: ListenerValues) =>
      client.admin.compatListeners.create({
        port: Number(port),
        keyId: Number(key === other ? keyId : key),
        allowedNetworks: networks,
        host: host.trim() || undefined,
      }),
    onSuccess: ({ port }) => {
      showDone(t('listeners.opened', { port }));
      onClose();
      return queries.invalidateQueries({ queryKey: ['admin', 'listeners'] });
    },
    onError: (error) => markFieldFault(form, error, fieldNames),
  });
  const offered = (keys.data?.data ?? []).flatMap(({ id, name, compat, revoked_at }) =>
    compat && revoked_at === null
      ? [{ value: String(id), label: `${name} · ${protocolNames[compat.protocol]}` }]
      : [],
  );
  return (
    <Window onClose={onClose} title={t('listeners.title')}>
      <SaveForm
        form={form}
        save={{ ...open, error: findFieldFault(open.error, fieldNames) ? null : open.error }}
        submit={t('listeners.submit')}
        isFullWidth
      >
        <NumberInput
          label={t('listeners.port')}
          description={t('listeners.portHint', { ports })}
          required
          allowDecimal={false}
          data-autofocus
          {...form.getInputProps('port')}
        />
        <Select
          label={t('listeners.key')}
          description={t('listeners.keyHint')}
          required
          data={[...offered, { value: other, label: t('listeners.otherKey') }]}
          value={form.values.key || null}
          error={form.errors['key']}
          onChange={(key) => form.setFieldValue('key', key ?? '')}
        />
        {form.values.key === other && (
          <NumberInput
            label={t('listeners.keyId')}
            required
            allowDecimal={false}
            {...form.getInputProps('keyId')}
          />
        )}
        <TagsInput
          label={t('listeners.networks')}
          description={t('listeners.networksHint')}
          required
          maxTags={50}
          acceptValueOnBlur
          {...form.getInputProps('networks')}
        />
        <TextInput
          label={t('listeners.host')}
          description={t('listeners.hostHint')}
          maxLength={50}
          {...form.getInputProps('host')}
        />
      </SaveForm>
    </Window>
  );
}

/** The first of ports such as `5000,8000-8010`. */
function firstPort(ports: string): number | string {
  const [first] = /\d+/.exec(ports) ?? [];
  return first === undefined ? '' : Number(first);
}

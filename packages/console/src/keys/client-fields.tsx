import { Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';
import { type ClientKind, clientKinds, clients } from './client-kinds.js';

export interface ClientValues {
  use: 'own' | ClientKind;
  /** Id; empty: none. */
  perception: string;
}

/** Perceptions that are offered; an account has few. */
const maxOffered = 100;

/** What a key is for, and whose people a client that names faces may name. */
export function ClientFields<Values extends ClientValues>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation();
  const client = useClient();
  const { use } = form.getValues();
  const faces = use === 'own' ? 'none' : clients[use].faces;
  const { data } = useQuery({
    queryKey: ['perceptions', 'offered'],
    queryFn: ({ signal }) => client.perceptions.page({ limit: maxOffered, signal }),
    enabled: faces !== 'none',
  });
  const offered = (data?.data ?? []).map(({ model_id, name }) => ({ value: String(model_id), label: name }));
  return (
    <>
      <Select
        label={t('keys.use')}
        description={t('keys.useHint')}
        allowDeselect={false}
        data={(['own', ...clientKinds] as const).map((kind) => ({
          value: kind,
          label: t(`keys.uses.${kind}`),
        }))}
        {...form.getInputProps('use')}
      />
      {faces !== 'none' && (
        <Select
          label={t('keys.perception')}
          description={t('keys.perceptionHint')}
          placeholder={faces === 'some' ? t('keys.noPerception') : ''}
          clearable={faces === 'some'}
          required={faces === 'all'}
          data={offered}
          {...form.getInputProps('perception')}
        />
      )}
    </>
  );
}

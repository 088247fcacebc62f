import { Select, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../service/client.js';
import type { SettingsValues } from './video-values.js';

/** Perceptions that are offered; an account has few. */
const maxOffered = 100;

/** Whether people are named, and from which perception. */
export function NamingFields<Values extends SettingsValues>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation();
  const { namesPeople: isNaming } = form.values;
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['perceptions', 'offered'],
    queryFn: ({ signal }) => client.perceptions.page({ limit: maxOffered, signal }),
    enabled: isNaming,
  });
  return (
    <>
      <Switch
        label={t('videos.adding.names')}
        description={t('videos.adding.namesHint')}
        {...form.getInputProps('namesPeople', { type: 'checkbox' })}
      />
      {isNaming && (
        <Select
          label={t('videos.adding.perception')}
          placeholder={t('videos.adding.anyPerception')}
          clearable
          data={(data?.data ?? []).map(({ model_id, name }) => ({ value: String(model_id), label: name }))}
          {...form.getInputProps('perception')}
        />
      )}
    </>
  );
}

import { Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../service/client.js';

const general = 'general';
/** As many as one page of the service has. */
const maxModels = 100;

/** Which model looks at the pictures: general recognition, or one of the account's. */
export function ModelChoice({ value, onChange, ...rest }: GetInputPropsReturnType) {
  const { t } = useTranslation();
  const client = useClient();
  const models = useQuery({
    queryKey: ['models', 'choice'],
    queryFn: ({ signal }) => client.models.page({ limit: maxModels, signal }),
  });
  const chosen: string | null = value;
  const own = (models.data?.data ?? []).map(({ model_id, uid, name }) => ({
    // A model is named by number or UID; what is chosen keeps the form that it was given in.
    value: chosen === uid ? uid : String(model_id),
    label: `${name} (${model_id})`,
  }));
  const isUnknown = chosen !== null && !own.some((model) => model.value === chosen);
  return (
    <Select
      label={t('drops.written.model')}
      description={t('drops.written.modelHint')}
      allowDeselect={false}
      searchable
      data={[
        { value: general, label: t('drops.written.general') },
        ...own,
        ...(isUnknown ? [{ value: chosen, label: t('drops.written.otherModel', { id: chosen }) }] : []),
      ]}
      {...rest}
      value={chosen ?? general}
      onChange={(next) => onChange(next === general ? null : next)}
    />
  );
}

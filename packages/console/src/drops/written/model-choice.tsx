import type { CustomModel } from '@lynceus/client';
import { Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useBuiltInModels } from '../../models/built-in.js';
import { usableBuiltIn } from '../../models/usable-built-in.js';
import { useClient } from '../../service/client.js';

const general = 'general';
/** As many as one page of the service has. */
const maxModels = 100;

/** Which model looks at the images: general recognition, one that comes with the service, or one of the account's. */
export function ModelChoice({ value, onChange, ...rest }: GetInputPropsReturnType) {
  const { t } = useTranslation();
  const client = useClient();
  const models = useQuery({
    queryKey: ['models', 'choice'],
    queryFn: ({ signal }) => client.models.page({ limit: maxModels, signal }),
  });
  const builtIn = useBuiltInModels();
  const chosen: string | null = value;
  const toItem = ({ model_id, uid, name }: Pick<CustomModel, 'model_id' | 'uid' | 'name'>) => ({
    // A model is named by number or UID; what is chosen keeps the form that it was given in.
    value: chosen === uid ? uid : String(model_id),
    label: `${name} (${model_id})`,
  });
  // One without a version answers nothing yet.
  const usable = (models.data?.data ?? []).filter(({ version }) => version !== null);
  const groups = [
    { group: t('drops.written.own'), items: usable.map(toItem) },
    { group: t('drops.written.builtIn'), items: usableBuiltIn(builtIn.data ?? []).map(toItem) },
  ].filter(({ items }) => items.length > 0);
  const isKnown = groups.some(({ items }) => items.some((model) => model.value === chosen));
  return (
    <Select
      label={t('drops.written.model')}
      description={t('drops.written.modelHint')}
      allowDeselect={false}
      searchable
      data={[
        { value: general, label: t('drops.written.general') },
        ...(chosen === null || isKnown
          ? []
          : [{ value: chosen, label: t('drops.written.otherModel', { id: chosen }) }]),
        ...groups,
      ]}
      {...rest}
      value={chosen ?? general}
      onChange={(next) => onChange(next === general ? null : next)}
    />
  );
}

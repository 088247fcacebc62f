import type { CustomModel } from '@lynceus/client';
import { Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { usableBuiltIn, useBuiltInModels, useOwnModels } from './known-models.js';

const noModel = 'none';

/** Chooses a built-in model, a model of the account, or none: then the value is null. */
export function ModelSelect({
  label,
  description,
  none,
  task,
  input: { value, onChange, ...rest },
}: {
  label: string;
  description: string;
  /** What is used when no model is chosen. */
  none: string;
  /** Of the models that are listed; all unless given. */
  task?: CustomModel['task'];
  input: GetInputPropsReturnType;
}) {
  const { t } = useTranslation();
  const own = useOwnModels();
  const builtIn = useBuiltInModels();
  const chosen: string | null = value;
  const toItem = ({ model_id, uid, name }: Pick<CustomModel, 'model_id' | 'uid' | 'name'>) => ({
    // A model is identified by number or UID; the selected value keeps its form.
    value: chosen === uid ? uid : String(model_id),
    label: `${name} (${model_id})`,
  });
  const isListed = (model: { readonly task: CustomModel['task'] }) =>
    task === undefined || model.task === task;
  // A model without a version cannot predict.
  const usable = (own.data ?? []).filter((model) => model.version !== null && isListed(model));
  const shipped = usableBuiltIn(builtIn.data ?? []).filter(isListed);
  const groups = [
    { group: t('models.select.own'), items: usable.map(toItem) },
    { group: t('models.select.builtIn'), items: shipped.map(toItem) },
  ].filter(({ items }) => items.length > 0);
  const isKnown = groups.some(({ items }) => items.some((model) => model.value === chosen));
  return (
    <Select
      label={label}
      description={description}
      allowDeselect={false}
      searchable
      data={[
        { value: noModel, label: none },
        ...(chosen === null || isKnown
          ? []
          : [{ value: chosen, label: t('models.select.other', { id: chosen }) }]),
        ...groups,
      ]}
      {...rest}
      value={chosen ?? noModel}
      onChange={(next) => onChange(next === noModel ? null : next)}
    />
  );
}

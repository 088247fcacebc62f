import limits from 'api-limits:StreamSettingsInput';
import { Checkbox, Group, MultiSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { findLimits } from '../../kit/field-limits.js';
import { ModelSelect } from '../../models/model-select.js';
import { languageItems } from '../../models/text-languages.js';
import { ClassesField } from './classes-field.js';
import { useKnownLabels } from './known-labels.js';
import { type LookValues, wrongNumbers } from './look-values.js';
import { NamesField } from './names-field.js';

const partsInOrder = ['objects', 'faces', 'texts', 'classes'] as const;

export type LookForm = UseFormReturnType<LookValues>;

/** The faults of the form, by field. */
export function useLookFaults(): (values: LookValues) => Readonly<Record<string, string>> {
  const { t } = useTranslation();
  return (values) => ({
    ...(values.parts.length === 0 ? { parts: t('streamSettings.noParts') } : {}),
    ...Object.fromEntries(
      wrongNumbers(values).map((name) => {
        const { min, max, isWhole } = findLimits(limits, name);
        return [name, t(isWhole ? 'streamSettings.wholeNumber' : 'streamSettings.number', { min, max })];
      }),
    ),
  });
}

/** What is looked for: the classes with their minimum scores, and whether people are named. */
export function LookFields({ form }: { form: LookForm }) {
  const { t } = useTranslation();
  const { classes, min_score, model_id, parts, names_people, perception_id } = form.values;
  const labels = useKnownLabels(model_id);
  return (
    <>
      <ClassesField
        classes={classes}
        minScore={min_score}
        labels={labels}
        onChange={(changed) => form.setValues(changed)}
      />
      <NamesField
        isOn={names_people}
        perceptionId={perception_id}
        onChange={(changed) => form.setValues(changed)}
      />
      <Checkbox.Group
        label={t('streamSettings.parts')}
        description={t('streamSettings.partsHint')}
        {...form.getInputProps('parts')}
      >
        <Group mt="xs">
          {partsInOrder.map((part) => (
            <Checkbox key={part} value={part} label={t(`streamSettings.part.${part}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      {parts.includes('texts') && (
        <MultiSelect
          label={t('streamSettings.languages')}
          description={t('streamSettings.languagesHint')}
          searchable
          data={languageItems()}
          {...form.getInputProps('text_languages')}
        />
      )}
      <ModelSelect
        label={t('streamSettings.model')}
        description={t('streamSettings.modelHint')}
        none={t('streamSettings.defaultModel')}
        task="object_detection"
        input={form.getInputProps('model_id')}
      />
    </>
  );
}

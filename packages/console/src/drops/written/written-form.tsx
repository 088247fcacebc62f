import limits from 'api-limits:DropSettingsInput';
import type { Drop, DropSettings } from '@lynceus/client';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { numberLimits, textLimits } from '../../kit/field-limits.js';
import { FormError } from '../../kit/save-form.js';
import { ModelSelect } from '../../models/model-select.js';
import { allParts } from '../../models/predict-call.js';
import { languageItems } from '../../models/text-languages.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { SourcesField } from './sources-field.js';

/** The settings of a drop: recognition, keywords, and how long files are kept. */
export function WrittenForm({
  drop,
  submitLabel,
  onSaved,
}: {
  drop: Drop;
  submitLabel: string;
  onSaved: (drop: Drop) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const form = useForm<DropSettings>({
    initialValues: drop.settings,
    validate: {
      parts: (value, { model_id }) =>
        model_id === null && value.length === 0 ? t('drops.written.noParts') : null,
      keep_done_days: (value) => checkDays(value, t('drops.written.days')),
      keep_failed_days: (value) => checkDays(value, t('drops.written.days')),
      keywords: {
        max_keywords: (value) => (Number.isInteger(value) ? null : t('drops.written.number')),
      },
    },
  });
  const save = useMutation({
    mutationFn: (settings: DropSettings) =>
      client.drops.change(drop.id, {
        settings: {
          ...settings,
          authorized_keys: settings.authorized_keys.filter((line) => line.trim() !== ''),
        },
      }),
    onSuccess: (changed) => {
      queries.setQueryData(['drops', 'one', drop.id], changed);
      form.setInitialValues(changed.settings);
      form.setValues(changed.settings);
      form.resetDirty();
      onSaved(changed);
    },
  });
  const { sources, min_confidence } = form.values.keywords;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" disabled={!mayChange}>
        <Stack gap="lg" maw={760}>
          <ModelSelect
            label={t('drops.written.model')}
            description={t('drops.written.modelHint')}
            none={t('drops.written.general')}
            input={form.getInputProps('model_id')}
          />
          {form.values.model_id === null && (
            <Checkbox.Group
              label={t('drops.written.parts')}
              description={t('drops.written.partsHint')}
              {...form.getInputProps('parts')}
            >
              <Group mt="xs">
                {allParts.map((part) => (
                  <Checkbox key={part} value={part} label={t(`tryIt.parts.${part}`)} />
                ))}
              </Group>
            </Checkbox.Group>
          )}
          <SourcesField
            sources={sources}
            minConfidence={min_confidence}
            onChange={(keywords) => form.setFieldValue('keywords', { ...form.values.keywords, ...keywords })}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={t('drops.written.max')}
              description={t('drops.written.maxHint')}
              {...numberLimits(limits, 'keywords.max_keywords')}
              {...form.getInputProps('keywords.max_keywords')}
            />
            <TextInput
              label={t('drops.written.prefix')}
              description={t('drops.written.prefixHint')}
              {...textLimits(limits, 'keywords.prefix')}
              {...form.getInputProps('keywords.prefix')}
            />
          </SimpleGrid>
          <Switch
            label={t('drops.written.lowerCase')}
            {...form.getInputProps('keywords.lower_case', { type: 'checkbox' })}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Radio.Group label={t('drops.written.raw')} {...form.getInputProps('keywords.raw_files')}>
              <Stack gap="xs" mt="xs">
                <Radio value="sidecar" label={t('drops.written.sidecar')} />
                <Radio value="embedded" label={t('drops.written.embedded')} />
              </Stack>
            </Radio.Group>
            <Radio.Group
              label={t('drops.written.others')}
              description={t('drops.written.othersHint')}
              {...form.getInputProps('other_files')}
            >
              <Stack gap="xs" mt="xs">
                <Radio value="fail" label={t('drops.written.othersFail')} />
                <Radio value="deliver" label={t('drops.written.othersDeliver')} />
              </Stack>
            </Radio.Group>
          </SimpleGrid>
          <Select
            label={t('drops.written.detail')}
            description={t('drops.written.detailHint')}
            allowDeselect={false}
            data={[
              { value: 'auto', label: t('drops.written.detailAuto') },
              { value: 'high', label: t('drops.written.detailHigh') },
              { value: 'normal', label: t('drops.written.detailNormal') },
            ]}
            {...form.getInputProps('detail')}
          />
          <MultiSelect
            label={t('drops.written.languages')}
            description={t('drops.written.languagesHint')}
            searchable
            clearable
            data={languageItems()}
            {...form.getInputProps('text_languages')}
          />
          <Textarea
            label={t('drops.written.authorizedKeys')}
            description={t('drops.written.authorizedKeysHint')}
            autosize
            minRows={2}
            maxRows={8}
            {...form.getInputProps('authorized_keys')}
            value={form.values.authorized_keys.join('\n')}
            onChange={({ currentTarget }) =>
              form.setFieldValue('authorized_keys', currentTarget.value.split('\n'))
            }
          />
          <Title order={3} size="h5">
            {t('drops.written.kept')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={t('drops.written.keepDone')}
              description={t('drops.written.keepDoneHint')}
              {...numberLimits(limits, 'keep_done_days')}
              {...form.getInputProps('keep_done_days')}
            />
            <NumberInput
              label={t('drops.written.keepFailed')}
              description={t('drops.written.keepFailedHint')}
              {...numberLimits(limits, 'keep_failed_days')}
              {...form.getInputProps('keep_failed_days')}
            />
          </SimpleGrid>
          <FormError error={save.error} />
          {mayChange && (
            <Button type="submit" w="fit-content" loading={save.isPending}>
              {submitLabel}
            </Button>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** An empty field is not a number. */
function checkDays(value: number | string, fault: string): string | null {
  return Number.isInteger(value) ? null : fault;
}

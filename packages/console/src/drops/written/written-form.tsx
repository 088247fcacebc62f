import type { CustomModel, Drop, DropSettings, TextLanguage } from '@lynceus/client';
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
  TextInput,
  Title,
} from '@mantine/core';
import { type GetInputPropsReturnType, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/save-form.js';
import { usableBuiltIn, useBuiltInModels, useOwnModels } from '../../models/known-models.js';
import { allParts } from '../../models/predict-call.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { SourcesField } from './sources-field.js';

const general = 'general';

const textLanguages: readonly TextLanguage[] = [
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'is',
  'it',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'sv',
  'tr',
  'zh',
];

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
    mutationFn: (settings: DropSettings) => client.drops.change(drop.id, { settings }),
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
          <ModelChoice {...form.getInputProps('model_id')} />
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
              min={0}
              max={200}
              allowDecimal={false}
              {...form.getInputProps('keywords.max_keywords')}
            />
            <TextInput
              label={t('drops.written.prefix')}
              description={t('drops.written.prefixHint')}
              maxLength={20}
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
            <Radio.Group label={t('drops.written.others')} {...form.getInputProps('other_files')}>
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
          <Title order={3} size="h5">
            {t('drops.written.kept')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={t('drops.written.keepDone')}
              description={t('drops.written.keepDoneHint')}
              min={0}
              max={365}
              allowDecimal={false}
              {...form.getInputProps('keep_done_days')}
            />
            <NumberInput
              label={t('drops.written.keepFailed')}
              description={t('drops.written.keepFailedHint')}
              min={1}
              max={3650}
              allowDecimal={false}
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

/** The languages by name, in the order of the alphabet. */
function languageItems() {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return textLanguages
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** An empty field is not a number. */
function checkDays(value: number | string, fault: string): string | null {
  return Number.isInteger(value) ? null : fault;
}

/** Chooses general recognition, a built-in model, or a model of the account. */
function ModelChoice({ value, onChange, ...rest }: GetInputPropsReturnType) {
  const { t } = useTranslation();
  const own = useOwnModels();
  const builtIn = useBuiltInModels();
  const chosen: string | null = value;
  const toItem = ({ model_id, uid, name }: Pick<CustomModel, 'model_id' | 'uid' | 'name'>) => ({
    // A model is identified by number or UID; the selected value keeps its form.
    value: chosen === uid ? uid : String(model_id),
    label: `${name} (${model_id})`,
  });
  // A model without a version cannot predict.
  const usable = (own.data ?? []).filter(({ version }) => version !== null);
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

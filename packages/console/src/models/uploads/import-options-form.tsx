import type { ModelImportOptions, ModelTask } from '@lynceus/client';
import { Accordion, NumberInput, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import {
  fits,
  fromImportOptions,
  type ImportOptionsValues,
  layouts,
  toImportOptions,
} from './import-options-values.js';

/** The import options of a model file: what the file itself does not state. */
export function useImportOptionsForm(options: ModelImportOptions = {}) {
  const form = useForm<ImportOptionsValues>({ initialValues: fromImportOptions(options) });
  return { form, read: () => toImportOptions(options, form.values) };
}

export function ImportOptionsFields({
  task,
  form,
}: {
  task: ModelTask;
  form: ReturnType<typeof useImportOptionsForm>['form'];
}) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Textarea
        label={t('models.options.labels')}
        description={t('models.options.labelsHint')}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('labels')}
      />
      <Accordion variant="contained">
        <Accordion.Item value="more">
          <Accordion.Control>{t('models.options.more')}</Accordion.Control>
          <Accordion.Panel>
            <Stack>
              {task === 'object_detection' && (
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Select
                    label={t('models.options.layout')}
                    placeholder={t('models.options.seen')}
                    clearable
                    data={[...layouts]}
                    {...form.getInputProps('layout')}
                  />
                  <NumberInput
                    label={t('models.options.threshold')}
                    placeholder={t('models.options.seen')}
                    min={0}
                    max={1}
                    step={0.05}
                    {...form.getInputProps('threshold')}
                  />
                  <NumberInput
                    label={t('models.options.firstClass')}
                    placeholder={t('models.options.seen')}
                    min={0}
                    allowDecimal={false}
                    {...form.getInputProps('firstClass')}
                  />
                </SimpleGrid>
              )}
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <Select
                  label={t('models.options.fit')}
                  placeholder={t('models.options.seen')}
                  clearable
                  data={fits.map((value) => ({ value, label: t(`models.options.fits.${value}`) }))}
                  {...form.getInputProps('fit')}
                />
                <Select
                  label={t('models.options.channels')}
                  placeholder={t('models.options.seen')}
                  clearable
                  data={['rgb', 'bgr', 'grey']}
                  {...form.getInputProps('channels')}
                />
                <Select
                  label={t('models.options.activation')}
                  placeholder={t('models.options.seen')}
                  clearable
                  data={['none', 'sigmoid', 'softmax', 'softmax-last']}
                  {...form.getInputProps('activation')}
                />
              </SimpleGrid>
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

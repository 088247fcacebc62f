import type { ModelTask, ToldOfModel } from '@lynceus/client';
import { Accordion, NumberInput, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { fits, fromTold, layouts, type ToldValues, toTold } from './told-values.js';

/** What somebody says of a model file that it does not say itself. */
export function useToldForm(told: ToldOfModel = {}) {
  const form = useForm<ToldValues>({ initialValues: fromTold(told) });
  return { form, read: () => toTold(told, form.values) };
}

export function ToldFields({
  task,
  form,
}: {
  task: ModelTask;
  form: ReturnType<typeof useToldForm>['form'];
}) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Textarea
        label={t('models.told.labels')}
        description={t('models.told.labelsHint')}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('labels')}
      />
      <Accordion variant="contained">
        <Accordion.Item value="more">
          <Accordion.Control>{t('models.told.more')}</Accordion.Control>
          <Accordion.Panel>
            <Stack>
              {task === 'object_detection' && (
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Select
                    label={t('models.told.layout')}
                    placeholder={t('models.told.seen')}
                    clearable
                    data={[...layouts]}
                    {...form.getInputProps('layout')}
                  />
                  <NumberInput
                    label={t('models.told.threshold')}
                    placeholder={t('models.told.seen')}
                    min={0}
                    max={1}
                    step={0.05}
                    {...form.getInputProps('threshold')}
                  />
                  <NumberInput
                    label={t('models.told.firstClass')}
                    placeholder={t('models.told.seen')}
                    min={0}
                    allowDecimal={false}
                    {...form.getInputProps('firstClass')}
                  />
                </SimpleGrid>
              )}
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <Select
                  label={t('models.told.fit')}
                  placeholder={t('models.told.seen')}
                  clearable
                  data={fits.map((value) => ({ value, label: t(`models.told.fits.${value}`) }))}
                  {...form.getInputProps('fit')}
                />
                <Select
                  label={t('models.told.channels')}
                  placeholder={t('models.told.seen')}
                  clearable
                  data={['rgb', 'bgr', 'grey']}
                  {...form.getInputProps('channels')}
                />
                <Select
                  label={t('models.told.activation')}
                  placeholder={t('models.told.seen')}
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

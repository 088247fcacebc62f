import limits from 'api-limits:POST /api/datasets';
import { Radio, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FormWindow, useSchemaForm } from '../kit/schema-form.js';
import { useClient } from '../service/client.js';

const kinds = ['classification', 'multi_label', 'object_detection'] as const;

/** Creates a dataset and opens it. */
export function NewDataset({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useSchemaForm({
    limits,
    initialValues: { name: '', kind: 'object_detection' as (typeof kinds)[number] },
    save: ({ name, kind }) =>
      client.datasets.create({
        name,
        task: kind === 'object_detection' ? kind : 'classification',
        multiLabel: kind === 'multi_label',
      }),
    onSaved: ({ id }) => {
      queries.invalidateQueries({ queryKey: ['datasets'] });
      navigate(`/datasets/${id}`);
    },
  });
  return (
    <FormWindow title={t('datasets.createTitle')} form={form} submit={t('datasets.submit')} onClose={onClose}>
      <TextInput
        label={t('datasets.name')}
        placeholder={t('datasets.namePlaceholder')}
        data-autofocus
        {...form.text('name')}
      />
      <Radio.Group label={t('datasets.kind')} description={t('datasets.kindHint')} {...form.choice('kind')}>
        <Stack mt="xs" gap="sm">
          {kinds.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              label={t(`datasets.task.${kind}`)}
              description={t(`datasets.taskHint.${kind}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormWindow>
  );
}

import limits from 'api-limits:POST /api/models';
import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FormWindow, useSchemaForm } from '../kit/schema-form.js';
import { useClient } from '../service/client.js';
import { useRenewModels } from './queries.js';

const tasks = ['object_detection', 'classification'] as const;

/** Creates a model without a version, and opens it. */
export function NewModel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const navigate = useNavigate();
  const form = useSchemaForm({
    limits,
    initialValues: { name: '', description: '', task: tasks[0] as (typeof tasks)[number] },
    save: (values) => client.models.create(values),
    onSaved: ({ model_id }) => {
      renew();
      navigate(`/models/${model_id}`);
    },
  });
  return (
    <FormWindow title={t('models.createTitle')} form={form} submit={t('models.submit')} onClose={onClose}>
      <TextInput label={t('models.name')} data-autofocus {...form.text('name')} />
      <Radio.Group label={t('models.column.task')} {...form.choice('task')}>
        <Stack mt="xs" gap="sm">
          {tasks.map((task) => (
            <Radio
              key={task}
              value={task}
              label={t(`models.task.${task}`)}
              description={t(`models.taskHint.${task}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea label={t('models.description')} autosize minRows={2} {...form.text('description')} />
    </FormWindow>
  );
}

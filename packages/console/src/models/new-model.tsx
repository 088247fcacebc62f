import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { SaveForm } from '../kit/save-form.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';
import { useRenewModels } from './queries.js';

const tasks = ['object_detection', 'classification'] as const;

/** Creates a model without a version, and opens it. */
export function NewModel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const navigate = useNavigate();
  const form = useForm<{ name: string; description: string; task: (typeof tasks)[number] }>({
    initialValues: { name: '', description: '', task: 'object_detection' },
  });
  const create = useMutation({
    mutationFn: (values: typeof form.values) => client.models.create(values),
    onSuccess: ({ model_id }) => {
      renew();
      navigate(`/models/${model_id}`);
    },
  });
  return (
    <Window onClose={onClose} title={t('models.createTitle')}>
      <SaveForm form={form} save={create} submit={t('models.submit')} isFullWidth>
        <TextInput
          label={t('models.name')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group label={t('models.column.task')} {...form.getInputProps('task')}>
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
        <Textarea
          label={t('models.description')}
          autosize
          minRows={2}
          maxLength={2000}
          {...form.getInputProps('description')}
        />
      </SaveForm>
    </Window>
  );
}

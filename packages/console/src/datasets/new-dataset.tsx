import { Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { SaveForm } from '../kit/save-form.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';

const kinds = ['classification', 'multi_label', 'object_detection'] as const;

/** Creates a dataset and opens it. */
export function NewDataset({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<{ name: string; kind: (typeof kinds)[number] }>({
    initialValues: { name: '', kind: 'object_detection' },
  });
  const create = useMutation({
    mutationFn: ({ name, kind }: typeof form.values) =>
      client.datasets.create({
        name,
        task: kind === 'object_detection' ? kind : 'classification',
        multiLabel: kind === 'multi_label',
      }),
    onSuccess: ({ id }) => {
      queries.invalidateQueries({ queryKey: ['datasets'] });
      navigate(`/datasets/${id}`);
    },
  });
  return (
    <Window onClose={onClose} title={t('datasets.createTitle')}>
      <SaveForm form={form} save={create} submit={t('datasets.submit')} isFullWidth>
        <TextInput
          label={t('datasets.name')}
          placeholder={t('datasets.namePlaceholder')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Radio.Group
          label={t('datasets.kind')}
          description={t('datasets.kindHint')}
          {...form.getInputProps('kind')}
        >
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
      </SaveForm>
    </Window>
  );
}

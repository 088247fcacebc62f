import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useShowError } from '../kit/error-text.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';

const kinds = ['classification', 'multi_label', 'object_detection'] as const;

/** Creates a dataset and opens it. */
export function NewDataset({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const showError = useShowError();
  const form = useForm<{ name: string; kind: (typeof kinds)[number] }>({
    initialValues: { name: '', kind: 'object_detection' },
  });
  const make = useMutation({
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
    onError: showError,
  });
  return (
    <Window onClose={onClose} title={t('datasets.createTitle')}>
      <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
        <Stack>
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
          <Button type="submit" loading={make.isPending}>
            {t('datasets.submit')}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}

import type { NewDrop } from '@lynceus/client';
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';
import { useClient } from '../../service/client.js';

/** Makes a drop by its name alone: everything else has a default. */
export function NameStep({ onMade }: { onMade: (drop: NewDrop) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: '', userName: '' } });
  const make = useMutation({
    mutationFn: ({ name, userName }: typeof form.values) =>
      client.drops.create({ name, ...(userName === '' ? {} : { userName }) }),
    onSuccess: (drop) => {
      const { key: _, ...shown } = drop;
      queries.setQueryData(['drops', 'one', drop.id], shown);
      queries.invalidateQueries({ queryKey: ['drops', 'list'] });
      onMade(drop);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <Stack maw={520}>
        <TextInput
          label={t('drops.name')}
          description={t('drops.steps.nameText')}
          placeholder={t('drops.steps.nameExample')}
          required
          maxLength={200}
          autoFocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('drops.steps.userName')}
          description={t('drops.steps.userNameHint')}
          maxLength={32}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('userName')}
        />
        <FormError error={make.error} />
        <Button type="submit" w="fit-content" loading={make.isPending}>
          {t('drops.steps.begin')}
        </Button>
      </Stack>
    </form>
  );
}

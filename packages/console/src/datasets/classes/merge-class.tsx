import type { CountedDataset, DatasetClass } from '@lynceus/client';
import { Button, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../kit/error-text.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

/** Makes one class of two. */
export function MergeClass({
  dataset,
  one,
  onDone,
  onClose,
}: {
  dataset: CountedDataset;
  one: DatasetClass;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const showError = useShowError();
  const [into, setInto] = useState<string | null>(null);
  const merge = useMutation({
    mutationFn: (id: number) => client.datasetClasses.merge(dataset.id, one.id, { into: id }),
    onSuccess: onDone,
    onError: showError,
  });
  return (
    <Window onClose={onClose} title={t('datasets.classes.mergeTitle', { name: one.name })}>
      <Stack>
        <Text size="sm">{t('datasets.classes.mergeText', { name: one.name })}</Text>
        <Select
          label={t('datasets.classes.into')}
          searchable
          limit={50}
          data={dataset.classes
            .filter(({ id }) => id !== one.id)
            .map(({ id, name }) => ({ value: String(id), label: name }))}
          value={into}
          onChange={setInto}
        />
        <Button
          color="red"
          disabled={into === null}
          loading={merge.isPending}
          onClick={() => merge.mutate(Number(into))}
        >
          {t('datasets.classes.mergeSubmit')}
        </Button>
      </Stack>
    </Window>
  );
}

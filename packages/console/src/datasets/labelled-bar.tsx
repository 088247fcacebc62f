import type { CountedDataset } from '@lynceus/client';
import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../kit/use-format.js';

/** How many of the pictures are labelled. */
export function LabelledBar({ dataset }: { dataset: Pick<CountedDataset, 'pictures' | 'labelled'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { pictures, labelled } = dataset;
  const words = t('datasets.labelledOf', {
    labelled: format.number(labelled),
    pictures: format.number(pictures),
  });
  return (
    <Stack gap={4} flex="1 1 160px">
      <Progress.Root size="sm">
        <Progress.Section value={pictures === 0 ? 0 : (100 * labelled) / pictures} aria-label={words} />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {words}
      </Text>
    </Stack>
  );
}

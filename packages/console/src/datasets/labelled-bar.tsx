import type { CountedDataset } from '@lynceus/client';
import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../kit/use-format.js';

/** How many of the images are labelled. */
export function LabelledBar({ dataset }: { dataset: Pick<CountedDataset, 'images' | 'labelled'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { images, labelled } = dataset;
  const words = t('datasets.labelledOf', {
    labelled: format.number(labelled),
    images: format.number(images),
  });
  return (
    <Stack gap={4} flex="1 1 160px">
      <Progress.Root size="sm">
        <Progress.Section value={images === 0 ? 0 : (100 * labelled) / images} aria-label={words} />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {words}
      </Text>
    </Stack>
  );
}

import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { imageAddress } from '../../datasets/image-address.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import type { Report } from './report.js';

const mistakesShown = 12;

/** The worst mistakes, each with its image, which leads to where its labels can be mended. */
export function Mistakes({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = (indexes: readonly number[]) =>
    report.kind === 'classification'
      ? indexes.map((index) => report.labels[index]?.title ?? '?').join(', ') || t('labelling.none')
      : '';
  const mistakes =
    report.kind === 'classification'
      ? report.mistakes.map(({ image, shown, answered, score }, position) => ({
          key: `${image} ${position}`,
          image,
          words: t('models.tookFor', { shown: names(shown), answered: names(answered) }),
          score,
        }))
      : report.mistakes.map(({ image, kind, label, expectedLabel, score }, position) => ({
          key: `${image} ${position}`,
          image,
          words: t(`models.mistake.${kind}`, { label, expected: expectedLabel ?? label }),
          score: score ?? null,
        }));
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4, lg: 6 }} spacing="xs">
      {mistakes.slice(0, mistakesShown).map(({ key, image, words, score }) => (
        <Stack key={key} gap={2}>
          <Anchor component={Link} to={`/datasets/${report.datasetId}/label?image=${image}`} h={110}>
            <Thumbnail src={imageAddress(report.datasetId, Number(image), 320)} alt={words} />
          </Anchor>
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {words}
            {score !== null && ` (${format.percent(score, 0)})`}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}

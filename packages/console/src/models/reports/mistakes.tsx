import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { pictureAddress } from '../../datasets/picture-address.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import type { Report } from './report.js';

const mistakesShown = 12;

/** The worst mistakes, each with its picture, which leads to where its labels can be mended. */
export function Mistakes({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = (indexes: readonly number[]) =>
    report.kind === 'classification'
      ? indexes.map((index) => report.labels[index]?.title ?? '?').join(', ') || t('labelling.none')
      : '';
  const told =
    report.kind === 'classification'
      ? report.mistakes.map(({ picture, shown, answered, score }, place) => ({
          key: `${picture} ${place}`,
          picture,
          words: t('models.tookFor', { shown: names(shown), answered: names(answered) }),
          score,
        }))
      : report.mistakes.map(({ picture, kind, label, expectedLabel, score }, place) => ({
          key: `${picture} ${place}`,
          picture,
          words: t(`models.mistake.${kind}`, { label, expected: expectedLabel ?? label }),
          score: score ?? null,
        }));
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 4, lg: 6 }} spacing="xs">
      {told.slice(0, mistakesShown).map(({ key, picture, words, score }) => (
        <Stack key={key} gap={2}>
          <Anchor component={Link} to={`/datasets/${report.datasetId}/label?picture=${picture}`} h={110}>
            <Thumbnail src={pictureAddress(report.datasetId, Number(picture), 320)} alt={words} />
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

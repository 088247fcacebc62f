import type { Job } from '@lynceus/client';
import { Badge, Card, Group, List, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { isUnderWay, JobProgress, useJob } from '../../kit/job-progress.js';
import { Moment } from '../../kit/moment.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';
import { datasetImageAddress } from '../../service/addresses.js';
import { stateColours } from '../training/run-list.js';

/** The result of a comparison, as the service writes it. */
export interface Comparison {
  readonly task: 'classification' | 'object_detection';
  readonly dataset_id: number;
  readonly images: number;
  readonly versions: readonly ComparedVersion[];
  /** For classifiers: images that only one version predicts correctly, and the p-value of the difference. */
  readonly only_first_right?: number;
  readonly only_second_right?: number;
  readonly p_value?: number;
  readonly differences?: readonly {
    readonly image_id: number;
    readonly shown: readonly string[];
    readonly answered: readonly [readonly string[], readonly string[]];
  }[];
  /** For detectors, with a 95 % interval. */
  readonly ap50_difference?: {
    readonly value: number;
    readonly interval: { readonly low: number; readonly high: number };
  };
  readonly notes: readonly string[];
}

interface ComparedVersion {
  readonly number: number;
  readonly missing_classes: readonly string[];
  readonly accuracy?: number;
  readonly balanced_accuracy?: number;
  readonly ap50?: number;
  readonly ap?: number;
  readonly precision?: number;
  readonly recall?: number;
}

const differencesShown = 8;
const figures = ['accuracy', 'balanced_accuracy', 'ap50', 'ap', 'precision', 'recall'] as const;

export function ComparisonCard({ known }: { known: Job }) {
  const { t } = useTranslation();
  const { data: job = known } = useJob(known.id, known);
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group gap="xs">
          <Badge variant="light" color={stateColours[job.state]}>
            {t(`jobs.state.${job.state}`)}
          </Badge>
          <Text size="sm">
            <Moment at={job.created_at} />
          </Text>
        </Group>
        {isUnderWay(job) && <JobProgress job={job} stage={() => t('models.comparisons.comparing')} />}
        {job.error && (
          <Text size="sm" c="red">
            {job.error}
          </Text>
        )}
        {job.state === 'done' && <Result comparison={job.result as Comparison} />}
      </Stack>
    </Card>
  );
}

function Result({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { versions, notes, differences = [] } = comparison;
  const shown = figures.filter((name) => versions.some((version) => version[name] !== undefined));
  return (
    <Stack gap="sm">
      <WideTable label={t('models.tab.compare')}>
        <Table miw={320} withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('models.figure')}</Table.Th>
              {versions.map(({ number }) => (
                <Table.Th key={number} ta="end">
                  {t('models.version', { number })}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((name) => (
              <Table.Tr key={name}>
                <Table.Td>{t(`models.figures.${name === 'balanced_accuracy' ? 'balanced' : name}`)}</Table.Td>
                {versions.map((version) => (
                  <Table.Td key={version.number} ta="end">
                    {format.percent(version[name] ?? null)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      <Text size="sm">{verdict(comparison, t, format)}</Text>
      {notes.length > 0 && (
        <List size="sm">
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
      {differences.length > 0 && (
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
          {differences.slice(0, differencesShown).map(({ image_id, shown: right, answered }) => (
            <Stack key={image_id} gap={2}>
              <div style={{ height: 100 }}>
                <Thumbnail
                  src={datasetImageAddress(comparison.dataset_id, image_id, 320)}
                  alt={right.join(', ') || t('labelling.none')}
                />
              </div>
              <Text size="xs" truncate="end">
                {right.join(', ') || t('labelling.none')}
              </Text>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {answered
                  .map(
                    (classes, index) =>
                      `${versions[index]?.number ?? ''}: ${classes.join(', ') || t('labelling.none')}`,
                  )
                  .join(' · ')}
              </Text>
            </Stack>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** A difference with a higher p-value may be chance. */
const surePValue = 0.05;

function verdict(
  { images, versions, p_value, only_first_right, only_second_right, ap50_difference }: Comparison,
  t: TFunction,
  format: ReturnType<typeof useFormat>,
): string {
  const [first, second] = [versions[0]?.number ?? 0, versions[1]?.number ?? 0];
  const of = { count: images, images: format.number(images) };
  if (p_value !== undefined) {
    const counts = t('models.comparisons.onlyRight', {
      ...of,
      first,
      second,
      onlyFirst: format.number(only_first_right ?? 0),
      onlySecond: format.number(only_second_right ?? 0),
    });
    return `${counts} ${t(p_value < surePValue ? 'models.comparisons.real' : 'models.comparisons.chance')}`;
  }
  if (!ap50_difference) return '';
  const { value, interval } = ap50_difference;
  const words = t('models.comparisons.apart', {
    ...of,
    first,
    second,
    value: format.percent(value),
    low: format.percent(interval.low),
    high: format.percent(interval.high),
  });
  const isReal = interval.low > 0 || interval.high < 0;
  return `${words} ${t(isReal ? 'models.comparisons.real' : 'models.comparisons.chance')}`;
}

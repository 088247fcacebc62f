import { Alert, Anchor, Card, List, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { mdiAlertOutline, mdiLightbulbOnOutline } from '@mdi/js';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../kit/icon.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import { datasetImageAddress } from '../../service/addresses.js';
import { ClassTable } from './class-table.js';
import { Confusion } from './confusion.js';
import type { Report } from './report.js';

const mistakesShown = 12;

/** The report of a training run. */
export function ReportView({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isClassifier = report.kind === 'classification';
  const figures = isClassifier
    ? ([
        ['accuracy', report.figures.accuracy],
        ['balanced', report.figures.balancedAccuracy],
      ] as const)
    : ([
        ['ap50', report.overall.ap50],
        ['ap', report.overall.ap],
        ['precision', report.overall.precision],
        ['recall', report.overall.recall],
      ] as const);
  const images = isClassifier ? report.figures.images : report.measuredOn.images;
  const trained = isClassifier ? report.images.train : report.learntOf.images;
  const all = report.lastFit?.images ?? trained;
  const warnings = isClassifier ? report.warnings : report.warnings.map(({ message }) => message);
  const advice = isClassifier ? report.advice : [];
  const curve = isClassifier
    ? report.learningCurve.map((point) => ({ images: point.images, value: point.balancedAccuracy }))
    : report.byImages.map((point) => ({ images: point.images, value: point.ap50 }));
  return (
    <Stack>
      {images === 0 ? (
        <Text>{t('models.notMeasured')}</Text>
      ) : (
        <>
          <SimpleGrid cols={{ base: 2, sm: figures.length }}>
            {figures.map(([name, value]) => (
              <Card key={name} withBorder padding="sm">
                <Text size="sm" c="dimmed">
                  {t(`models.figures.${name}`)}
                </Text>
                <Text fz={28} fw={600}>
                  {format.percent(value)}
                </Text>
                <Text size="xs" c="dimmed">
                  {name === 'accuracy' && isClassifier
                    ? t('models.interval', {
                        low: format.percent(report.figures.interval.low),
                        high: format.percent(report.figures.interval.high),
                      })
                    : t(`models.figureHint.${name}`)}
                </Text>
              </Card>
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t(`models.measured.${isClassifier ? report.measuredOn : report.measuredWith}`, {
              count: images,
              images: format.number(images),
            })}{' '}
            {all > trained && t('models.lastFit', { images: format.number(all) })}{' '}
            {!isClassifier && report.secondLook?.isUsed === true && t('models.secondLook')}
          </Text>
          <Elsewhere report={report} />
        </>
      )}
      <Sentences title={t('models.warnings')} icon={mdiAlertOutline} colour="orange" sentences={warnings} />
      <Sentences title={t('models.advice')} icon={mdiLightbulbOnOutline} colour="lynx" sentences={advice} />
      <Section title={t('models.byClass')}>
        <ClassTable report={report} />
      </Section>
      {isClassifier && report.figures.confusion && (
        <Section title={t('models.confusion')} text={t('models.confusionText')}>
          <Confusion labels={report.labels.map(({ title }) => title)} confusion={report.figures.confusion} />
        </Section>
      )}
      {curve.length > 1 && (
        <Section title={t('models.curve')} text={t('models.curveText')}>
          <Table w="auto" withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="end">{t('models.images')}</Table.Th>
                <Table.Th ta="end">{t(`models.figures.${isClassifier ? 'balanced' : 'ap50'}`)}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {curve.map((point) => (
                <Table.Tr key={point.images}>
                  <Table.Td ta="end">{format.number(Math.round(point.images))}</Table.Td>
                  <Table.Td ta="end">{format.percent(point.value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Section>
      )}
      {report.mistakes.length > 0 && (
        <Section title={t('models.mistakes')} text={t('models.mistakesText')}>
          <Mistakes report={report} />
        </Section>
      )}
    </Stack>
  );
}

/** How the model does on images of other things. */
function Elsewhere({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isClassifier = report.kind === 'classification';
  const lines = isClassifier
    ? ([
        ['unlikeHeldOut', report.unlikeTraining?.heldOut],
        ['unlikeShipped', report.unlikeTraining?.shipped],
      ] as const)
    : ([
        ['falseOwn', report.falseBoxes.own],
        ['falseShipped', report.falseBoxes.shipped],
      ] as const);
  return lines.map(([name, of]) =>
    of && of.share !== null ? (
      <Text key={name} size="sm" c="dimmed">
        {t(`models.elsewhere.${name}`, {
          share: format.percent(of.share),
          images: format.number(of.images),
        })}
      </Text>
    ) : null,
  );
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {text && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}

function Sentences({
  title,
  icon,
  colour,
  sentences,
}: {
  title: string;
  icon: string;
  colour: string;
  sentences: readonly string[];
}) {
  if (sentences.length === 0) return null;
  return (
    <Alert
      icon={<Icon path={icon} />}
      title={title}
      color={colour}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <List size="sm" spacing={2}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The hardest mistakes, each with its image, which links to the page where its labels can be fixed. */
function Mistakes({ report }: { report: Report }) {
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
            <Thumbnail src={datasetImageAddress(report.datasetId, Number(image), 320)} alt={words} />
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

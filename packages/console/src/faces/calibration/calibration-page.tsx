import type { CalibrationReport, ProposedCalibration, SimilarityCurve } from '@lynceus/client';
import { Alert, Badge, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { mdiInformation } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { showDone, toSentence } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewFaces } from '../queries.js';
import { useModelId } from '../route-ids.js';
import { CurveForm } from './curve-form.js';

/** The choice of a curve: of the perception's people, a given one, or the embedder's. */
type CurveRequest =
  | { readonly kind: 'own-people' }
  | ({ readonly kind: 'given' } & SimilarityCurve)
  | { readonly kind: 'reset' };

const CalibrationChart = lazy(() =>
  import('./calibration-chart.js').then(({ CalibrationChart }) => ({ default: CalibrationChart })),
);

/** Calibration: the curve in use, the curve of the perception's own people, and the choice. */
export function CalibrationPage() {
  const modelId = useModelId();
  const client = useClient();
  const report = useQuery({
    queryKey: ['faces', 'calibration', modelId],
    queryFn: ({ signal }) => client.calibration.read(modelId, { signal }),
    // It compares every pair of images.
    staleTime: 60_000,
  });
  return <Answered query={report}>{(now) => <Calibration modelId={modelId} report={now} />}</Answered>;
}

function Calibration({ modelId, report }: { modelId: number; report: CalibrationReport }) {
  const { t, i18n } = useTranslation();
  const mayChange = useMayChange();
  const confirm = useConfirm();
  const change = useChangeCurve(modelId);
  const { calibration, source, proposal, reason } = report;
  const number = (value: number) => value.toLocaleString(i18n.language, { maximumSignificantDigits: 4 });
  const askReset = () =>
    confirm({
      title: t('calibration.resetTitle'),
      text: t('calibration.resetText'),
      yes: t('calibration.reset'),
      onYes: () => change.mutate({ kind: 'reset' }),
    });
  return (
    <Stack gap="lg">
      <div>
        <Group gap="xs" mb={4}>
          <Title order={2} size="h4">
            {t('calibration.title')}
          </Title>
          <Badge variant="light" color={source === 'own' ? 'lynx' : 'gray'}>
            {t(`calibration.source.${source}`)}
          </Badge>
        </Group>
        <Text c="dimmed" maw={720}>
          {t('calibration.text')}
        </Text>
        <Text mt="xs">
          {t('calibration.inForce', {
            midpoint: number(calibration.midpoint),
            slope: number(calibration.slope),
          })}
        </Text>
      </div>
      <Suspense fallback={<Skeleton height={340} />}>
        <CalibrationChart report={report} />
      </Suspense>
      {proposal ? (
        <DecisionTable proposal={proposal} />
      ) : (
        <Alert icon={<Icon path={mdiInformation} />} color="blue" variant="light" maw={720}>
          {toSentence(reason ?? t('calibration.noProposal'))}
        </Alert>
      )}
      {mayChange && (
        <Stack gap="md" maw={720}>
          <Group>
            <Button
              disabled={!proposal}
              loading={change.isPending}
              onClick={() => change.mutate({ kind: 'own-people' })}
            >
              {t('calibration.takeOwn')}
            </Button>
            {source === 'own' && (
              <Button variant="default" loading={change.isPending} onClick={askReset}>
                {t('calibration.reset')}
              </Button>
            )}
          </Group>
          <CurveForm
            key={`${calibration.midpoint} ${calibration.slope}`}
            curve={calibration}
            isBusy={change.isPending}
            onChange={(curve) => change.mutate({ kind: 'given', ...curve })}
          />
        </Stack>
      )}
    </Stack>
  );
}

function useChangeCurve(modelId: number) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  return useAction({
    mutationFn: (wanted: CurveRequest) => {
      switch (wanted.kind) {
        case 'own-people':
          return client.calibration.change(modelId, { ownPeople: true });
        case 'given':
          return client.calibration.change(modelId, { midpoint: wanted.midpoint, slope: wanted.slope });
        case 'reset':
          return client.calibration.reset(modelId);
      }
    },
    onSuccess: () => {
      showDone(t('calibration.changed'));
      return renew();
    },
  });
}

/** False matches and non-matches of the measured pairs at the decision point of both curves. */
function DecisionTable({ proposal }: { proposal: ProposedCalibration }) {
  const { t } = useTranslation();
  const { decision, pairs, people, images } = proposal;
  const { number, percent } = useFormat();
  const rows = [
    ['now', decision.now],
    ['proposed', decision.proposed],
  ] as const;
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        {t('calibration.basis', {
          people: t('faces.people', { count: people }),
          images: t('faces.images', { count: images }),
          genuine: number(pairs.genuine),
          impostor: number(pairs.impostor),
        })}
      </Text>
      <WideTable label={t('calibration.curve')}>
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('calibration.curve')}</Table.Th>
              <Table.Th ta="end">{t('calibration.decision')}</Table.Th>
              <Table.Th ta="end">{t('calibration.falseMatch')}</Table.Th>
              <Table.Th ta="end">{t('calibration.falseNonMatch')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(([name, point]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{t(`calibration.${name}`)}</Table.Th>
                <Table.Td ta="end">{number(point.cosine, 3)}</Table.Td>
                <Table.Td ta="end">{percent(point.false_match_rate, 2)}</Table.Td>
                <Table.Td ta="end">{percent(point.false_non_match_rate, 2)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </div>
  );
}

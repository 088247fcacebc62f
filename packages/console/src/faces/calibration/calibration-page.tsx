import type { CalibrationReport } from '@lynceus/client';
import { Alert, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { mdiInformation } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { toSentence } from '../../kit/to-sentence.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useModelId } from '../route-ids.js';
import { CurveForm } from './curve-form.js';
import { DecisionTable } from './decision-table.js';
import { useChangeCurve } from './use-change-curve.js';

const CalibrationChart = lazy(() =>
  import('./calibration-chart.js').then(({ CalibrationChart }) => ({ default: CalibrationChart })),
);

/** What a cosine means here: the curve in force, what the perception's own people say, and the change of it. */
export function CalibrationPage() {
  const modelId = useModelId();
  const client = useClient();
  const report = useQuery({
    queryKey: ['faces', 'calibration', modelId],
    queryFn: ({ signal }) => client.calibration.read(modelId, { signal }),
    // Every pair of images is compared for it.
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

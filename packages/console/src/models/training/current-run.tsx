import type { CustomModel, Job } from '@lynceus/client';
import { Alert, Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../kit/icon.js';
import { isUnderWay, JobProgress, useOnEnd } from '../../kit/job-progress.js';
import { tryAddress } from '../predict-call.js';
import { useRenewModels } from '../queries.js';
import { RunFigures, type RunResult } from './run-figures.js';

const stages = ['features', 'training', 'measuring', 'writing'] as const;

/** The training run in progress; after it has ended on this page, its result. */
export function CurrentRun({ model, run }: { model: CustomModel; run: Job }) {
  const { t } = useTranslation();
  const hasJustEnded = useOnEnd(run, useRenewModels());
  if (isUnderWay(run)) {
    const stage = (name: string) => {
      const known = stages.find((one) => one === name);
      return known ? t(`models.stage.${known}`) : t('models.stage.begins');
    };
    return (
      <Card withBorder>
        <Stack gap="xs">
          <Title order={2} size="h5">
            {t('models.training.underWay')}
          </Title>
          <JobProgress job={run} stage={stage} />
          <Text size="sm" c="dimmed">
            {t('models.training.continues')}
          </Text>
        </Stack>
      </Card>
    );
  }
  if (run.state === 'failed') {
    return (
      <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('models.training.failed')}>
        {run.error}
      </Alert>
    );
  }
  if (run.state === 'done' && hasJustEnded) {
    const result = run.result as RunResult;
    return (
      <Card withBorder role="status">
        <Stack gap="xs">
          <Title order={2} size="h5">
            {t('models.training.done', { number: result.version })}
          </Title>
          <RunFigures result={result} />
          <Group gap="sm">
            {model.version === result.version && (
              <Button component={Link} to={tryAddress(model)} size="xs">
                {t('models.tryOnImage')}
              </Button>
            )}
            <Anchor component={Link} to={`/models/${model.model_id}/versions/${result.version}`} size="sm">
              {t('models.toReport')}
            </Anchor>
          </Group>
        </Stack>
      </Card>
    );
  }
  return null;
}

import type { CustomModel, Job } from '@lynceus/client';
import { Alert, Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../kit/icon.js';
import { isUnderWay, JobProgress } from '../../kit/job-progress.js';
import { useRenewModels } from '../queries.js';
import { tryAddress } from '../wish.js';
import { RunFigures, type RunResult } from './run-figures.js';

const stages = ['features', 'training', 'measuring', 'writing'] as const;

/** The training that is under way, and how it ended while one watches. */
export function CurrentRun({ model, run }: { model: CustomModel; run: Job }) {
  const { t } = useTranslation();
  const renew = useRenewModels();
  const renewNow = useRef(renew);
  renewNow.current = renew;
  const wasUnderWay = useRef(false);
  const isGoing = isUnderWay(run);
  useEffect(() => {
    if (wasUnderWay.current && !isGoing) renewNow.current();
    wasUnderWay.current ||= isGoing;
  }, [isGoing]);
  if (isGoing) {
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
  if (run.state === 'done' && wasUnderWay.current) {
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

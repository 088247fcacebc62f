import type { CustomModel, Job } from '@lynceus/client';
import { Anchor, Badge, Button, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiImageSearch, mdiSchoolOutline, mdiShapeOutline, mdiUpload } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { isUnderWay, useJob } from '../kit/job-progress.js';
import { More } from '../kit/more.js';
import { PageHead } from '../kit/page-head.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { ComparePanel } from './comparisons/compare-panel.js';
import { ModelMenu } from './model-menu.js';
import { tryAddress } from './predict-call.js';
import { useModel, useVersions } from './queries.js';
import { CurrentRun } from './training/current-run.js';
import { RunList } from './training/run-list.js';
import { StartTraining } from './training/start-training.js';
import { UploadVersion } from './uploads/upload-version.js';
import { VersionTable } from './versions/version-table.js';

const tabs = ['versions', 'runs', 'compare'] as const;

export function ModelPage() {
  const id = Number(useParams()['id']);
  const query = useModel(id);
  return <Answered query={query}>{(model) => <ModelView key={id} model={model} />}</Answered>;
}

function ModelView({ model }: { model: CustomModel }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [params, setParams] = useSearchParams();
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'versions';
  const run = useCurrentRun(model.model_id);
  const isUnderWayNow = run !== null && isUnderWay(run);
  const [isTraining, training] = useDisclosure(false);
  const [isUploading, uploading] = useDisclosure(false);
  return (
    <>
      <PageHead
        title={model.name}
        back={{ to: '/models', name: t('models.title') }}
        {...(model.description ? { text: model.description } : {})}
      >
        {mayChange && (
          <>
            {model.version !== null && (
              <Button
                component={Link}
                to={tryAddress(model)}
                leftSection={<Icon path={mdiImageSearch} size={16} />}
              >
                {t('models.tryIt')}
              </Button>
            )}
            <Button
              variant={model.version === null && !isUnderWayNow ? 'filled' : 'default'}
              leftSection={<Icon path={mdiSchoolOutline} size={16} />}
              onClick={training.open}
            >
              {t('models.train')}
            </Button>
            <Button
              variant="default"
              leftSection={<Icon path={mdiUpload} size={16} />}
              onClick={uploading.open}
            >
              {t('models.upload')}
            </Button>
            <ModelMenu model={model} />
          </>
        )}
      </PageHead>
      <Stack gap="md">
        <Group gap="sm">
          <Badge variant="light">{t(`models.task.${model.task}`)}</Badge>
          <Badge variant="light" color={model.version === null ? 'gray' : 'lynx'}>
            {model.version === null
              ? t('models.noVersion')
              : t('models.activeVersion', { number: model.version })}
          </Badge>
          <Text size="sm" c="dimmed">
            {t('models.namedBy')} <Code>{model.model_id}</Code> (v1),{' '}
            <Code style={{ overflowWrap: 'anywhere' }}>{model.uid}</Code> (v2)
          </Text>
          {model.dataset_id !== null && (
            <Anchor component={Link} to={`/datasets/${model.dataset_id}`} size="sm">
              {t('models.itsDataset')}
            </Anchor>
          )}
        </Group>
        {run && <CurrentRun key={run.id} model={model} run={run} />}
        <Tabs
          value={tab}
          onChange={(name) => setParams(name && name !== 'versions' ? { tab: name } : {}, { replace: true })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            {tabs.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`models.tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="versions">
            <VersionPanel
              model={model}
              isTraining={isUnderWayNow}
              onTrain={training.open}
              onUpload={uploading.open}
            />
          </Tabs.Panel>
          <Tabs.Panel value="runs">
            <RunList modelId={model.model_id} />
          </Tabs.Panel>
          <Tabs.Panel value="compare">
            <ComparePanel model={model} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
      {isTraining && <StartTraining model={model} onClose={training.close} />}
      {isUploading && <UploadVersion model={model} onClose={uploading.close} />}
    </>
  );
}

/** The newest training run of a model; null if there is none or it is not loaded yet. */
function useCurrentRun(modelId: number): Job | null {
  const client = useClient();
  const { data: newest = null } = useQuery({
    queryKey: ['jobs', 'train-model', modelId, 'newest'],
    queryFn: async ({ signal }) =>
      (await client.modelRuns.page(modelId, { limit: 1, signal })).data[0] ?? null,
  });
  const { data: run } = useJob(newest?.id ?? null, newest ?? undefined);
  return run ?? newest;
}

function VersionPanel({
  model,
  isTraining,
  onTrain,
  onUpload,
}: {
  model: CustomModel;
  /** A training run is in progress. */
  isTraining: boolean;
  onTrain: () => void;
  onUpload: () => void;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const list = useVersions(model.model_id);
  return (
    <Answered query={list}>
      {(versions) =>
        versions.length === 0 ? (
          <Empty
            icon={mdiShapeOutline}
            title={t('models.versions.emptyTitle')}
            text={t(isTraining ? 'models.versions.comesText' : 'models.versions.emptyText')}
          >
            {mayChange && !isTraining && (
              <Group justify="center">
                <Button onClick={onTrain}>{t('models.train')}</Button>
                <Button variant="default" onClick={onUpload}>
                  {t('models.upload')}
                </Button>
              </Group>
            )}
          </Empty>
        ) : (
          <>
            <VersionTable model={model} versions={versions} />
            <More list={list} />
          </>
        )
      }
    </Answered>
  );
}

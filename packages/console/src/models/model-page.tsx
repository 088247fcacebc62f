import type { CustomModel } from '@lynceus/client';
import { Anchor, Badge, Button, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiImageSearch, mdiSchoolOutline, mdiUpload } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { Icon } from '../kit/icon.js';
import { PageHead } from '../kit/page-head.js';
import { isUnderWay } from '../kit/use-job.js';
import { useMayChange } from '../service/current-session.js';
import { tryAddress } from '../try/wish.js';
import { ComparePanel } from './comparisons/compare-panel.js';
import { ModelMenu } from './model-menu.js';
import { useModel } from './queries.js';
import { CurrentRun } from './training/current-run.js';
import { RunList } from './training/run-list.js';
import { StartTraining } from './training/start-training.js';
import { useCurrentRun } from './training/use-current-run.js';
import { UploadVersion } from './uploads/upload-version.js';
import { VersionPanel } from './versions/version-panel.js';

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
      <Anchor component={Link} to="/models" size="sm">
        {t('models.all')}
      </Anchor>
      <PageHead title={model.name} {...(model.description ? { text: model.description } : {})}>
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
            {model.version === null ? t('models.noVersion') : t('models.predicts', { number: model.version })}
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

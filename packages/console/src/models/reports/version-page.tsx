import type { CustomModel, ReadModelVersion } from '@lynceus/client';
import { Badge, Button, Group, Spoiler, Stack, Text } from '@mantine/core';
import { mdiFileChart, mdiImageSearch, mdiTrayArrowDown } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { PageHead } from '../../kit/page-head.js';
import { useFileLink } from '../../kit/use-file-link.js';
import { versionAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { tryAddress } from '../predict-call.js';
import { useActivateVersion, useModel, useVersion } from '../queries.js';
import { ImportOptionsEditor } from '../uploads/import-options-editor.js';
import type { Report } from './report.js';
import { ReportView } from './report-view.js';

export function VersionPage() {
  const params = useParams();
  const [modelId, number] = [Number(params['id']), Number(params['number'])];
  const model = useModel(modelId);
  const version = useVersion(modelId, number);
  return (
    <Answered query={model}>
      {(ofModel) => (
        <Answered query={version}>
          {(ofVersion) => <VersionView key={`${modelId} ${number}`} model={ofModel} version={ofVersion} />}
        </Answered>
      )}
    </Answered>
  );
}

function VersionView({ model, version }: { model: CustomModel; version: ReadModelVersion }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const activate = useActivateVersion(model);
  const { model_id: modelId } = model;
  const { number } = version;
  const isCurrent = model.version === number;
  const onFile = useFileLink();
  return (
    <>
      <PageHead title={t('models.version', { number })} back={{ to: `/models/${modelId}`, name: model.name }}>
        {mayChange && !isCurrent && (
          <Button loading={activate.isPending} onClick={() => activate.mutate(number)}>
            {t('models.versions.activate')}
          </Button>
        )}
        {mayChange && isCurrent && (
          <Button
            component={Link}
            to={tryAddress(model)}
            leftSection={<Icon path={mdiImageSearch} size={16} />}
          >
            {t('models.tryIt')}
          </Button>
        )}
        {version.origin === 'training' && (
          <Button
            component="a"
            variant="default"
            href={versionAddress(modelId, number, 'report.html')}
            target="_blank"
            rel="noopener"
            onClick={onFile}
            leftSection={<Icon path={mdiFileChart} size={16} />}
          >
            {t('models.versions.reportPage')}
          </Button>
        )}
        <Button
          component="a"
          variant="default"
          href={versionAddress(modelId, number, 'model.onnx')}
          download
          onClick={onFile}
          leftSection={<Icon path={mdiTrayArrowDown} size={16} />}
        >
          {t('models.versions.download')}
        </Button>
      </PageHead>
      <Stack>
        <Group gap="sm">
          {isCurrent && <Badge variant="light">{t('models.versions.active')}</Badge>}
          <Text size="sm">
            {t(`models.versions.from.${version.origin}`)}, <Moment at={version.created_at} />
          </Text>
        </Group>
        <Spoiler maxHeight={66} showLabel={t('kit.more')} hideLabel={t('models.less')}>
          <Group gap={6}>
            <Text size="sm">{t('models.labels', { count: version.labels.length })}</Text>
            {[...new Set(version.labels)].map((label) => (
              <Badge key={label} variant="default" maw="100%">
                <bdi>{label}</bdi>
              </Badge>
            ))}
          </Group>
        </Spoiler>
        {version.origin === 'upload' ? (
          <ImportOptionsEditor model={model} version={version} />
        ) : (
          <TrainingReport modelId={modelId} number={number} />
        )}
      </Stack>
    </>
  );
}

function TrainingReport({ modelId, number }: { modelId: number; number: number }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['models', modelId, 'versions', number, 'report'],
    queryFn: async ({ signal }) =>
      (await client.modelVersions.report(modelId, number, { signal })) as unknown as Report,
    staleTime: Infinity,
  });
  return <Answered query={query}>{(report) => <ReportView report={report} />}</Answered>;
}

import type { CustomModel } from '@lynceus/client';
import { Anchor, Badge, Button, Code, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiShapeOutline } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { CreateButton, DataList } from '../kit/data-list.js';
import { Empty } from '../kit/empty.js';
import { ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';
import { usePages } from '../kit/more.js';
import { PageHead } from '../kit/page-head.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { BuiltInList } from './built-in-list.js';
import { NewModel } from './new-model.js';

export function ModelsPage() {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [params, setParams] = useSearchParams();
  const [isCreating, creating] = useDisclosure(false);
  const tab = params.get('tab') === 'built-in' ? 'built-in' : 'own';
  return (
    <>
      <PageHead title={t('models.title')} text={t('models.text')}>
        {mayChange && <CreateButton text={t('models.create')} onClick={creating.open} />}
      </PageHead>
      <Tabs
        value={tab}
        onChange={(name) => setParams(name === 'built-in' ? { tab: name } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="own">{t('models.own')}</Tabs.Tab>
          <Tabs.Tab value="built-in">{t('models.builtIn')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="own">
          <OwnModels />
        </Tabs.Panel>
        <Tabs.Panel value="built-in">
          <BuiltInList />
        </Tabs.Panel>
      </Tabs>
      {isCreating && <NewModel onClose={creating.close} />}
    </>
  );
}

function OwnModels() {
  const { t } = useTranslation();
  const client = useClient();
  const list = usePages(['models'], (cursor, signal) => client.models.page({ cursor, signal }));
  return (
    <DataList
      list={list}
      empty={
        <Empty icon={mdiShapeOutline} title={t('models.emptyTitle')} text={t('models.emptyText')}>
          <Button component={Link} to="/datasets" variant="light">
            {t('models.toDatasets')}
          </Button>
        </Empty>
      }
    >
      {(all) => <ModelTable models={all} />}
    </DataList>
  );
}

function ModelTable({ models }: { models: readonly CustomModel[] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={models}
      keyOf={({ model_id }) => model_id}
      columns={[
        { name: t('models.column.name'), cell: (model) => <ModelName model={model} /> },
        { name: t('models.column.id'), width: 110, cell: ({ model_id }) => <Code>{model_id}</Code> },
        { name: t('models.column.task'), width: 160, cell: ({ task }) => t(`models.task.${task}`) },
        {
          name: t('models.column.version'),
          width: 150,
          cell: ({ version }) => (
            <Badge variant="light" color={version === null ? 'gray' : 'lynx'}>
              {version === null ? t('models.noVersion') : t('models.version', { number: version })}
            </Badge>
          ),
        },
        {
          name: t('models.column.created'),
          width: 180,
          cell: ({ created_at }) => <Moment at={created_at} />,
        },
      ]}
    />
  );
}

function ModelName({ model: { model_id, name, description } }: { model: CustomModel }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} to={`/models/${model_id}`} fw={500} size="sm">
        <Text span inherit lineClamp={3}>
          <bdi>{name}</bdi>
        </Text>
      </Anchor>
      {description && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          <bdi>{description}</bdi>
        </Text>
      )}
    </div>
  );
}

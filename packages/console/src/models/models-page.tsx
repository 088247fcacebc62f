import { Button, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiPlus, mdiShapeOutline } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { More } from '../kit/more.js';
import { PageHead } from '../kit/page-head.js';
import { usePages } from '../kit/use-pages.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { BuiltInList } from './built-in-list.js';
import { ModelTable } from './model-table.js';
import { NewModel } from './new-model.js';

export function ModelsPage() {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [params, setParams] = useSearchParams();
  const [isMaking, making] = useDisclosure(false);
  const tab = params.get('tab') === 'built-in' ? 'built-in' : 'own';
  return (
    <>
      <PageHead title={t('models.title')} text={t('models.text')}>
        {mayChange && (
          <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={making.open}>
            {t('models.make')}
          </Button>
        )}
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
      {isMaking && <NewModel onClose={making.close} />}
    </>
  );
}

function OwnModels() {
  const { t } = useTranslation();
  const client = useClient();
  const list = usePages(['models'], (cursor, signal) => client.models.page({ cursor, signal }));
  return (
    <Answered query={list}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={mdiShapeOutline} title={t('models.emptyTitle')} text={t('models.emptyText')}>
            <Button component={Link} to="/datasets" variant="light">
              {t('models.toDatasets')}
            </Button>
          </Empty>
        ) : (
          <>
            <ModelTable models={all} />
            <More list={list} />
          </>
        )
      }
    </Answered>
  );
}

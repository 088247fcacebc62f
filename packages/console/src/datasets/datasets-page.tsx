import { Button, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiPlus, mdiTagMultiple } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { More, usePages } from '../kit/more.js';
import { PageHead } from '../kit/page-head.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { DatasetCard } from './dataset-card.js';
import { NewDataset } from './new-dataset.js';

export function DatasetsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [isCreating, creating] = useDisclosure(false);
  const list = usePages(['datasets'], (cursor, signal) => client.datasets.page({ cursor, signal }));
  const createButton = mayChange && (
    <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={creating.open}>
      {t('datasets.create')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('datasets.title')} text={t('datasets.text')}>
        {list.data && list.data.length > 0 && createButton}
      </PageHead>
      <Answered query={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={mdiTagMultiple} title={t('datasets.emptyTitle')} text={t('datasets.emptyText')}>
              {createButton}
            </Empty>
          ) : (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
                {all.map((dataset) => (
                  <DatasetCard key={dataset.id} dataset={dataset} />
                ))}
              </SimpleGrid>
              <More list={list} />
            </>
          )
        }
      </Answered>
      {isCreating && <NewDataset onClose={creating.close} />}
    </>
  );
}

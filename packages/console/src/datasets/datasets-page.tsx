import { SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiTagMultiple } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { CreateButton, ListPage } from '../kit/data-list.js';
import { usePages } from '../kit/more.js';
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
  return (
    <>
      <ListPage
        head={{ title: t('datasets.title'), text: t('datasets.text') }}
        list={list}
        create={mayChange && <CreateButton text={t('datasets.create')} onClick={creating.open} />}
        empty={{ icon: mdiTagMultiple, title: t('datasets.emptyTitle'), text: t('datasets.emptyText') }}
      >
        {(all) => (
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
            {all.map((dataset) => (
              <DatasetCard key={dataset.id} dataset={dataset} />
            ))}
          </SimpleGrid>
        )}
      </ListPage>
      {isCreating && <NewDataset onClose={creating.close} />}
    </>
  );
}

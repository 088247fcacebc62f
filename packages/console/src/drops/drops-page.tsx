import { Button, SimpleGrid } from '@mantine/core';
import { mdiFolderDownload, mdiPlus } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ListPage } from '../kit/data-list.js';
import { Icon } from '../kit/icon.js';
import { usePages } from '../kit/more.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { FtpIsOff } from './connection/connection.js';
import { DropCard } from './drop-card.js';

export function DropsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const list = usePages(['drops', 'list'], (cursor, signal) => client.drops.page({ cursor, signal }));
  const createButton = mayChange && (
    <Button component={Link} to="/drops/new" leftSection={<Icon path={mdiPlus} size={16} />}>
      {t('drops.create')}
    </Button>
  );
  return (
    <ListPage
      head={{ title: t('drops.title'), text: t('drops.text') }}
      list={list}
      create={createButton}
      empty={{ icon: mdiFolderDownload, title: t('drops.emptyTitle'), text: t('drops.emptyText') }}
    >
      {(drops) => (
        <>
          {drops[0]?.ftp.port === null && drops[0].sftp.port === null && <FtpIsOff />}
          <SimpleGrid
            component="ul"
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
            cols={{ base: 1, md: 2, xl: 3 }}
          >
            {drops.map((drop) => (
              <DropCard key={drop.id} drop={drop} />
            ))}
          </SimpleGrid>
        </>
      )}
    </ListPage>
  );
}

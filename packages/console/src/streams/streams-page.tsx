import { Anchor, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiCctv } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CreateButton, ListPage } from '../kit/data-list.js';
import { useMayChange } from '../service/current-session.js';
import { NewStream } from './new/new-stream.js';
import { OffAlert } from './off-alert.js';
import { useStreams } from './queries.js';
import { StreamCard } from './stream-card.js';

/** The cameras of the account, with their live images. */
export function StreamsPage() {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [isAdding, adding] = useDisclosure(false);
  const list = useStreams();
  return (
    <>
      <ListPage
        head={{ title: t('streams.title'), text: t('streams.text') }}
        list={list}
        create={mayChange && <CreateButton text={t('streams.add')} onClick={adding.open} />}
        empty={{
          icon: mdiCctv,
          title: t('streams.emptyTitle'),
          text: t('streams.emptyText'),
          children: (
            <Anchor component={Link} to="/help/streams" size="sm">
              {t('streams.help')}
            </Anchor>
          ),
        }}
      >
        {(streams) => (
          <>
            <OffAlert streams={streams} />
            <SimpleGrid
              component="ul"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
              cols={{ base: 1, sm: 2, lg: 3 }}
            >
              {streams.map((stream) => (
                <StreamCard key={stream.id} stream={stream} />
              ))}
            </SimpleGrid>
          </>
        )}
      </ListPage>
      {isAdding && <NewStream onClose={adding.close} />}
    </>
  );
}

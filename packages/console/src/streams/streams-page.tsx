import type { Stream } from '@lynceus/client';
import { Anchor, Button, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiCctv, mdiPlus } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { More } from '../kit/more.js';
import { PageHead } from '../kit/page-head.js';
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
  const addButton = mayChange && (
    <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={adding.open}>
      {t('streams.add')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('streams.title')} text={t('streams.text')}>
        {list.data && list.data.length > 0 && addButton}
      </PageHead>
      <Answered query={list}>
        {(streams: readonly Stream[]) =>
          streams.length === 0 ? (
            <Empty icon={mdiCctv} title={t('streams.emptyTitle')} text={t('streams.emptyText')}>
              {addButton}
              <Anchor component={Link} to="/help/streams" size="sm">
                {t('streams.help')}
              </Anchor>
            </Empty>
          ) : (
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
              <More list={list} />
            </>
          )
        }
      </Answered>
      {isAdding && <NewStream onClose={adding.close} />}
    </>
  );
}

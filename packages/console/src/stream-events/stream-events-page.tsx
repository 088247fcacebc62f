import { Button, Drawer } from '@mantine/core';
import { mdiCctv, mdiExportVariant } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { DataList } from '../kit/data-list.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { PageHead } from '../kit/page-head.js';
import { usePager } from '../kit/pager.js';
import { useComeBack } from '../kit/window.js';
import { useClient } from '../service/client.js';
import { nameOfTrack } from './seen-times.js';
import { TrackDetails } from './track-details.js';
import { countFilters, filterNames, readFilter, type TrackFilter, toSeenFilter } from './track-filter.js';
import { TrackFilters } from './track-filters.js';
import { TrackTable } from './track-table.js';

const pageLength = 30;

/** What cameras saw, updated live, the newest first; filters and the open object are in the address. */
export function StreamEventsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const isFiltered = countFilters(filter) > 0;
  const pager = usePager(['stream-tracks', 'list', filter], (cursor, signal) =>
    client.streamTracks.page({ ...toSeenFilter(filter), limit: pageLength, cursor, signal }),
  );
  const change = (changes: Partial<Record<keyof TrackFilter | 'track', string | null>>) =>
    setParams(
      (old) => {
        const changed = new URLSearchParams(old);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) changed.delete(name);
          else changed.set(name, value);
        }
        return changed;
      },
      { replace: true },
    );
  const open = params.get('track');
  return (
    <>
      <PageHead title={t('streamEvents.title')} text={t('streamEvents.text')}>
        <Button
          component={Link}
          to="/stream-outputs"
          variant="default"
          leftSection={<Icon path={mdiExportVariant} size={18} />}
        >
          {t('streamEvents.outputs')}
        </Button>
      </PageHead>
      <TrackFilters
        filter={filter}
        onChange={(name, value) => change({ [name]: value })}
        onClear={() => change(Object.fromEntries(filterNames.map((name) => [name, null])))}
      />
      <DataList
        list={pager}
        empty={
          <Empty
            icon={mdiCctv}
            title={t(isFiltered ? 'streamEvents.noneFound' : 'streamEvents.emptyTitle')}
            text={t(isFiltered ? 'streamEvents.noneFoundText' : 'streamEvents.emptyText')}
          />
        }
      >
        {(tracks) => <TrackTable tracks={tracks} onOpen={({ id }) => change({ track: id })} />}
      </DataList>
      {open !== null && (
        <TrackDrawer
          id={open}
          onClose={() => change({ track: null })}
          onPerson={(personId) => change({ track: null, person: String(personId) })}
        />
      )}
    </>
  );
}

/** One object in a drawer beside the list. */
function TrackDrawer({
  id,
  onClose,
  onPerson,
}: {
  id: string;
  onClose: () => void;
  onPerson: (personId: number) => void;
}) {
  useComeBack();
  const { t } = useTranslation();
  const client = useClient();
  const track = useQuery({
    queryKey: ['stream-tracks', 'one', id],
    queryFn: ({ signal }) => client.streamTracks.read(id, { signal }),
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={
        <bdi style={{ overflowWrap: 'anywhere' }}>
          {track.data ? nameOfTrack(track.data) : t('streamEvents.one')}
        </bdi>
      }
    >
      <Answered query={track}>
        {(found) => <TrackDetails track={found} onGone={onClose} onPerson={onPerson} />}
      </Answered>
    </Drawer>
  );
}

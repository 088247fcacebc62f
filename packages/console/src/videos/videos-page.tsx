import type { Video } from '@lynceus/client';
import { Anchor } from '@mantine/core';
import { mdiFilmstrip } from '@mdi/js';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CreateButton, ListPage } from '../kit/data-list.js';
import { GivenName } from '../kit/given-name.js';
import { ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';
import { usePages } from '../kit/more.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { AddVideo } from './adding/add-video.js';
import { formatTime } from './timeline/spans.js';
import { VideoState } from './video-state.js';

/** Videos, the newest first. A file that is dropped anywhere on the page is added. */
export function VideosPage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [adding, setAdding] = useState<{ readonly file: File | null } | null>(null);
  const list = usePages(['videos', 'list'], (cursor, signal) => client.videos.page({ cursor, signal }));
  const dropTarget = mayChange && {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file && !adding) setAdding({ file });
    },
  };
  return (
    <div style={{ minHeight: '70vh' }} {...dropTarget}>
      <ListPage
        head={{ title: t('videos.title'), text: t('videos.text') }}
        list={list}
        create={
          mayChange && <CreateButton text={t('videos.add')} onClick={() => setAdding({ file: null })} />
        }
        empty={{ icon: mdiFilmstrip, title: t('videos.emptyTitle'), text: t('videos.emptyText') }}
      >
        {(videos) => <VideoTable videos={videos} />}
      </ListPage>
      {adding && <AddVideo file={adding.file} onClose={() => setAdding(null)} />}
    </div>
  );
}

function VideoTable({ videos }: { videos: readonly Video[] }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return (
    <ListTable
      items={videos}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('videos.column.name'),
          cell: ({ id, name }) => (
            <Anchor component={Link} to={`/videos/${id}`} c="inherit">
              <GivenName name={name} size="sm" fw={500} />
            </Anchor>
          ),
        },
        { name: t('videos.column.state'), width: 280, cell: (video) => <VideoState video={video} /> },
        {
          name: t('videos.column.duration'),
          width: 100,
          cell: ({ info }) => (info ? formatTime(info.duration_seconds) : '–'),
        },
        {
          name: t('videos.column.size'),
          width: 100,
          cell: ({ file }) => (file ? bytes(file.bytes) : '–'),
        },
        { name: t('videos.column.at'), width: 190, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

import type { Stream } from '@lynceus/client';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useClient } from '../../service/client.js';

/** The kind of a source, and its address, its device, or the name of its video. */
export function SourceName({ source }: { source: Stream['source'] }) {
  const { t } = useTranslation();
  const { kind, address, device, video_id } = source;
  return (
    <>
      {t(`streamSource.short.${kind}`)} ·{' '}
      {video_id === null ? (address ?? device) : <VideoName id={video_id} />}
    </>
  );
}

function VideoName({ id }: { id: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['videos', id, 'one'],
    queryFn: ({ signal }) => client.videos.read(id, { signal }),
    // It may be deleted.
    retry: false,
  });
  if (!data) return t('streamSource.otherVideo', { id });
  return (
    <Anchor component={Link} to={`/videos/${id}`} inherit>
      <bdi>{data.name}</bdi>
    </Anchor>
  );
}

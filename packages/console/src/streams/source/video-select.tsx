import type { Video } from '@lynceus/client';
import { Select } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../service/client.js';

/** The newest videos that are offered. */
const maxOffered = 500;

/** Chooses a video of the account by its name; the value is its number. */
export function VideoSelect({ value, onChange, error, onBlur, onFocus }: GetInputPropsReturnType) {
  const { t } = useTranslation();
  const client = useClient();
  const chosen: number | null = value;
  const videos = useQuery({
    queryKey: ['videos', 'offered'],
    queryFn: async ({ signal }) => {
      const found: Video[] = [];
      for await (const video of client.videos.list({ limit: 100, signal })) {
        // One that is still being fetched has no frames.
        if (video.file !== null && found.push(video) === maxOffered) break;
      }
      return found;
    },
  });
  const offered = nameVideos(videos.data ?? []);
  const isKnown = chosen === null || offered.some((each) => each.value === String(chosen));
  return (
    <Select
      label={t('streamSource.video')}
      description={t('streamSource.videoHint')}
      placeholder={t('streamSource.chooseVideo')}
      nothingFoundMessage={t(videos.data?.length === 0 ? 'streamSource.noVideos' : 'streamSource.noVideo')}
      required
      searchable
      allowDeselect={false}
      data={[
        // One that was deleted, or that is older than those that are offered.
        ...(isKnown || videos.isPending
          ? []
          : [{ value: String(chosen), label: t('streamSource.otherVideo', { id: chosen }) }]),
        ...offered,
      ]}
      {...{ error, onBlur, onFocus }}
      value={chosen === null ? null : String(chosen)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  );
}

/** Those of one name are told apart by their numbers. */
function nameVideos(videos: readonly Video[]): { readonly value: string; readonly label: string }[] {
  const counts = new Map<string, number>();
  for (const { name } of videos) counts.set(name, (counts.get(name) ?? 0) + 1);
  return videos.map(({ id, name }) => ({
    value: String(id),
    label: (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name,
  }));
}

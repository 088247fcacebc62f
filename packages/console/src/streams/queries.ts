import type { Stream, StreamSettingsInput } from '@lynceus/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showDone } from '../kit/error-text.js';
import { usePages } from '../kit/more.js';
import { useClient } from '../service/client.js';

/** The newest first. Events of the service keep their states up to date. */
export function useStreams() {
  const client = useClient();
  return usePages(['streams', 'list'], (cursor, signal) => client.streams.page({ cursor, signal }));
}

export function useStream(id: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['streams', 'one', id],
    queryFn: ({ signal }) => client.streams.read(id, { signal }),
  });
}

/** The newest tracks of a stream. An event of the service has them read again. */
export function useLastTracks(streamId: number, limit: number, isWanted = true) {
  const client = useClient();
  return useQuery({
    queryKey: ['stream-tracks', 'last', streamId, limit],
    queryFn: async ({ signal }) => (await client.streamTracks.page({ streamId, limit, signal })).data,
    enabled: isWanted,
  });
}

/** Shows a stream as a change left it. */
export function useShowChanged(): (stream: Stream) => Promise<void> {
  const queries = useQueryClient();
  return (stream) => {
    queries.setQueryData(['streams', 'one', stream.id], stream);
    return queries.invalidateQueries({ queryKey: ['streams', 'list'] });
  };
}

/** Saves settings of a stream; the others stay as they are. */
export function useSaveSettings(id: number) {
  const { t } = useTranslation();
  const client = useClient();
  const showChanged = useShowChanged();
  return useMutation({
    mutationFn: (settings: StreamSettingsInput) => client.streams.change(id, { settings }),
    onSuccess: (stream) => {
      showDone(t('streams.saved'));
      return showChanged(stream);
    },
  });
}

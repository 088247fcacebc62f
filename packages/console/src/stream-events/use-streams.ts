import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';

/** Streams that are offered; an account has few. */
const maxOffered = 100;

/** The streams of the account, to choose from and by their names. */
export function useStreams() {
  const { t } = useTranslation();
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['streams', 'offered'],
    queryFn: ({ signal }) => client.streams.page({ limit: maxOffered, signal }),
  });
  const streams = data?.data ?? [];
  const names = new Map(streams.map(({ id, name }) => [id, name]));
  return {
    streams,
    /** Where it is not known, as while it is loaded, its number. */
    nameOf: (id: number) => names.get(id) ?? t('streamEvents.stream', { id }),
  };
}

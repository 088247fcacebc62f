import type { DatasetPictureFilter } from '@lynceus/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePages } from '../kit/use-pages.js';
import { useClient } from '../service/client.js';

/** A dataset with its classes and counts. */
export function useDataset(id: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['datasets', id],
    queryFn: ({ signal }) => client.datasets.read(id, { signal }),
  });
}

const picturesPerPage = 100;

/** Pictures by page; apart from `datasets`, so that every step of a job does not ask for all pages again. */
export function usePictures(datasetId: number, filter: DatasetPictureFilter) {
  const client = useClient();
  return usePages(['dataset-pictures', datasetId, filter], (cursor, signal) =>
    client.datasetPictures.page(datasetId, { ...filter, cursor, signal, limit: picturesPerPage }),
  );
}

/** After something in a dataset was changed: what is shown of it is asked for again. */
export function useRenewDataset(id: number): () => void {
  const queries = useQueryClient();
  return () => {
    queries.invalidateQueries({ queryKey: ['datasets'] });
    queries.invalidateQueries({ queryKey: ['dataset-pictures', id] });
  };
}

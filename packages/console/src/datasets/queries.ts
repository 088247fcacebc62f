import type { DatasetImageFilter } from '@lynceus/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePages } from '../kit/more.js';
import { useClient } from '../service/client.js';

/** A dataset with its classes and counts. */
export function useDataset(id: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['datasets', id],
    queryFn: ({ signal }) => client.datasets.read(id, { signal }),
  });
}

const imagesPerPage = 100;

/** Images by page. They have their own query key, so that the progress of a job does not refetch all pages. */
export function useImages(datasetId: number, filter: DatasetImageFilter) {
  const client = useClient();
  return usePages(['dataset-images', datasetId, filter], (cursor, signal) =>
    client.datasetImages.page(datasetId, { ...filter, cursor, signal, limit: imagesPerPage }),
  );
}

/** Invalidates the queries of a dataset after a change. */
export function useRenewDataset(id: number): () => void {
  const queries = useQueryClient();
  return () => {
    queries.invalidateQueries({ queryKey: ['datasets'] });
    queries.invalidateQueries({ queryKey: ['dataset-images', id] });
  };
}

import type { CountedDataset } from '@lynceus/client';
import { Button } from '@mantine/core';
import { mdiImagePlus } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams, useSearchParams } from 'react-router';
import { useDataset } from '../datasets/queries.js';
import { Answered, FailedQuery, Waiting } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { useClient } from '../service/client.js';
import { useDrafts } from './use-drafts.js';
import { useQueue } from './use-queue.js';
import { Workbench } from './workbench.js';

/** Labels the images of a dataset, one after the other; `image` in the address is the current one. */
export function LabellingPage() {
  const id = Number(useParams()['id']);
  const [params] = useSearchParams();
  const wanted = params.get('image');
  const query = useDataset(id);
  return (
    <Answered query={query}>
      {(dataset) =>
        wanted === null ? (
          <FirstImage key={id} dataset={dataset} />
        ) : (
          <Labelling key={id} dataset={dataset} imageId={Number(wanted)} />
        )
      }
    </Answered>
  );
}

/** Redirects to the first unlabelled image, else to the newest. */
function FirstImage({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const client = useClient();
  const first = useQuery({
    queryKey: ['labelling-first', dataset.id],
    queryFn: async ({ signal }) => {
      const open = await client.datasetImages.page(dataset.id, { labelled: false, limit: 1, signal });
      const any = open.data[0] ? open : await client.datasetImages.page(dataset.id, { limit: 1, signal });
      return any.data[0]?.id ?? null;
    },
    gcTime: 0,
  });
  return (
    <Answered query={first}>
      {(id) =>
        id === null ? (
          <Empty
            icon={mdiImagePlus}
            title={t('datasets.images.emptyTitle')}
            text={t('datasets.images.emptyText')}
          >
            <Button component={Link} to={`/datasets/${dataset.id}`}>
              {t('labelling.toDataset')}
            </Button>
          </Empty>
        ) : (
          <Navigate to={`/datasets/${dataset.id}/label?image=${id}`} replace />
        )
      }
    </Answered>
  );
}

function Labelling({ dataset, imageId }: { dataset: CountedDataset; imageId: number }) {
  const { t } = useTranslation();
  const queue = useQueue(dataset.id, imageId);
  const store = useDrafts(dataset.id);
  const image = queue.images[queue.index];
  if (image) return <Workbench dataset={dataset} image={image} queue={queue} store={store} />;
  if (queue.list.error) {
    return <FailedQuery error={queue.list.error} onRetry={() => queue.list.fetchNextPage()} />;
  }
  if (queue.isComplete) {
    return (
      <Empty icon={mdiImagePlus} title={t('labelling.goneTitle')} text={t('labelling.goneText')}>
        <Button component={Link} to={`/datasets/${dataset.id}/label`}>
          {t('labelling.another')}
        </Button>
      </Empty>
    );
  }
  return <Waiting />;
}

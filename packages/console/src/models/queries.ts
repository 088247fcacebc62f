import type { CustomModel } from '@lynceus/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showDone } from '../kit/error-text.js';
import { usePages } from '../kit/more.js';
import { useAction } from '../kit/use-action.js';
import { useClient } from '../service/client.js';

export function useModel(id: number) {
  const client = useClient();
  return useQuery({ queryKey: ['models', id], queryFn: ({ signal }) => client.models.read(id, { signal }) });
}

export function useVersions(modelId: number) {
  const client = useClient();
  return usePages(['models', modelId, 'versions'], (cursor, signal) =>
    client.modelVersions.page(modelId, { cursor, signal }),
  );
}

export function useVersion(modelId: number, number: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['models', modelId, 'versions', number],
    queryFn: ({ signal }) => client.modelVersions.read(modelId, number, { signal }),
  });
}

/** Invalidates the queries of models after a change. */
export function useRenewModels(): () => void {
  const queries = useQueryClient();
  return () => {
    queries.invalidateQueries({ queryKey: ['models'] });
    queries.invalidateQueries({ queryKey: ['jobs'] });
  };
}

/** Activates a version. */
export function useActivateVersion(model: CustomModel) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  return useAction({
    mutationFn: (number: number) => client.models.switchTo(model.model_id, number),
    onSuccess: (_, number) => {
      renew();
      showDone(t('models.activeVersion', { number }));
    },
  });
}

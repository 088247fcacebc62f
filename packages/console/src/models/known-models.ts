import type { BuiltInModel } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

/** As many as one page of the service has. */
const maxModels = 100;

export function useBuiltInModels() {
  const client = useClient();
  return useQuery({
    queryKey: ['built-in-models'],
    queryFn: async ({ signal }) => (await client.models.builtIn({ signal })).data,
    staleTime: 60_000,
  });
}

/** The first models of the account. */
export function useOwnModels() {
  const client = useClient();
  return useQuery({
    queryKey: ['models', 'first'],
    queryFn: async ({ signal }) => (await client.models.page({ limit: maxModels, signal })).data,
  });
}

type UsableModel = BuiltInModel['predicts_as'][number];

/** The built-in models that can be called: all models of a combination must be installed. */
export function usableBuiltIn(models: readonly BuiltInModel[]): readonly UsableModel[] {
  const missing = new Set(
    models
      .filter(({ is_installed }) => !is_installed)
      .flatMap(({ predicts_as }) => predicts_as.map(({ uid }) => uid)),
  );
  const byUid = new Map(models.flatMap(({ predicts_as }) => predicts_as.map((one) => [one.uid, one])));
  return [...byUid.values()]
    .filter(({ uid }) => !missing.has(uid))
    .toSorted((a, b) => a.model_id - b.model_id);
}

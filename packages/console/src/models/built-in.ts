import { useQuery } from '@tanstack/react-query';
import { askService } from '../service/ask.js';

/** A model that comes with the service, as its catalogue tells it. */
export interface BuiltInModel {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  /** Such as `detector`. */
  readonly task: string;
  readonly licence: { readonly stated: string; readonly by: string };
  readonly provenance: { readonly known: readonly string[]; readonly unknown: readonly string[] };
  readonly measured: readonly {
    readonly figure: string;
    readonly value: string;
    /** Without it the value is worth nothing. */
    readonly how: string;
  }[];
  readonly is_installed: boolean;
  /** What v1 and v2 name it by, where they can. */
  readonly predicts_as: readonly {
    readonly model_id: number;
    readonly uid: string;
    readonly name: string;
    readonly task: string;
  }[];
}

export function useBuiltInModels() {
  return useQuery({
    queryKey: ['built-in-models'],
    queryFn: async () => {
      const { data } = await askService<{ data: readonly BuiltInModel[] }>('GET', '/api/models/built-in');
      return data;
    },
    staleTime: 60_000,
  });
}

import type { SimilarityCurve } from '@lynceus/client';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** What the curve is to be: that of the perception's people, a given one, or the embedder's again. */
export type CurveRequest =
  | { readonly kind: 'own-people' }
  | ({ readonly kind: 'given' } & SimilarityCurve)
  | { readonly kind: 'reset' };

export function useChangeCurve(modelId: number) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const onError = useShowError();
  return useMutation({
    mutationFn: (wanted: CurveRequest) => {
      switch (wanted.kind) {
        case 'own-people':
          return client.calibration.change(modelId, { ownPeople: true });
        case 'given':
          return client.calibration.change(modelId, { midpoint: wanted.midpoint, slope: wanted.slope });
        case 'reset':
          return client.calibration.reset(modelId);
      }
    },
    onSuccess: () => {
      notifications.show({ color: 'lynx', message: t('calibration.changed') });
      return renew();
    },
    onError,
  });
}

import type { CustomModel } from '@lynceus/client';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import { useRenewModels } from '../queries.js';

/** Makes a version the one that predicts. */
export function useSwitchVersion(model: CustomModel) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const showError = useShowError();
  return useMutation({
    mutationFn: (number: number) => client.models.switchTo(model.model_id, number),
    onSuccess: (_, number) => {
      renew();
      notifications.show({ message: t('models.predicts', { number }) });
    },
    onError: showError,
  });
}

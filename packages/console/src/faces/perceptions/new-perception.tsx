import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useShowError } from '../../kit/error-text.js';
import { NameWindow } from '../../kit/name-window.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** Makes a perception by its name; all else of it can be set later. */
export function NewPerception({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const renew = useRenewFaces();
  const showError = useShowError();
  const make = useMutation({
    mutationFn: (name: string) => client.perceptions.create({ name }),
    onSuccess: ({ model_id }) => {
      renew();
      navigate(`/faces/${model_id}`);
    },
    onError: showError,
  });
  return (
    <NameWindow
      title={t('faces.makeTitle')}
      label={t('faces.name')}
      hint={t('faces.nameHint')}
      submit={t('faces.make')}
      name=""
      isBusy={make.isPending}
      onSubmit={make.mutate}
      onClose={onClose}
    />
  );
}

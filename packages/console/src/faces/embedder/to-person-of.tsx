import { Anchor } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useShowError } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';

/** Leads to whose image it is. */
export function ToPersonOf({ modelId, imageId }: { modelId: number; imageId: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const onError = useShowError();
  const open = useMutation({
    mutationFn: () => client.faceImages.read(imageId),
    onSuccess: ({ person_id }) => navigate(`/faces/${modelId}/people/${person_id}`),
    onError,
  });
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => open.mutate()}>
      {t('person.image', { id: imageId })}
    </Anchor>
  );
}

import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';
import { PersonForm } from './person-form.js';

/** Adds a person, and leads to where their images are added. */
export function NewPerson({
  modelId,
  isOpen,
  onClose,
}: {
  modelId: number;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const renew = useRenewFaces();
  const make = useMutation({
    mutationFn: (fields: { name: string; keyId: string | null }) => client.people.create(modelId, fields),
    onSuccess: ({ id }) => {
      renew();
      navigate(`/faces/${modelId}/people/${id}`);
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('faces.addPerson')}>
      <PersonForm
        name=""
        keyId={null}
        submit={t('faces.addPerson')}
        error={make.error}
        isBusy={make.isPending}
        onSubmit={make.mutate}
      />
    </Modal>
  );
}

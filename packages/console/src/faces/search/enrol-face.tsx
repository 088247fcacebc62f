import { Alert, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../service/client.js';
import { PersonForm } from '../people/person-form.js';
import { useRenewFaces } from '../queries.js';
import { useModelId } from '../route-ids.js';
import { imageOfFace, type SearchedFace } from './face-image.js';

/** Adds a new person from a searched face. */
export function EnrolFace({
  searched,
  isOpen,
  onClose,
  onChanged,
}: {
  searched: SearchedFace;
  isOpen: boolean;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const modelId = useModelId();
  const renew = useRenewFaces();
  const enrol = useMutation({
    mutationFn: async (fields: { name: string; keyId: string | null }) => {
      const image = await imageOfFace(client, searched.source, searched.matches, searched.face);
      if (!image) return t('faceSearch.notCut');
      const person = await client.people.create(modelId, fields);
      try {
        const { outcome, findings } = await client.faceImages.add(image, { personId: person.id });
        if (outcome === 'added') return null;
        await client.people.remove(person.id);
        return findings.map(({ advice }) => advice).join('; ') || t('person.noFace');
      } catch (error) {
        // Nobody is left without the face they were made for.
        await client.people.remove(person.id);
        throw error;
      }
    },
    onSuccess: async (problem, { name }) => {
      if (problem !== null) return;
      onClose();
      notifications.show({ color: 'lynx', message: t('faceSearch.enrolled', { name }) });
      onChanged();
      await renew();
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('faceSearch.enrolTitle')}>
      <Stack>
        {enrol.data && (
          <Alert color="red" role="alert">
            {enrol.data}
          </Alert>
        )}
        <PersonForm
          name=""
          keyId={null}
          submit={t('faces.addPerson')}
          error={enrol.error}
          isBusy={enrol.isPending}
          onSubmit={enrol.mutate}
        />
      </Stack>
    </Modal>
  );
}

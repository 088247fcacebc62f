import type { Person } from '@lynceus/client';
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiDelete, mdiMerge, mdiPencil } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../kit/confirm.js';
import { useShowError } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useClient } from '../../service/client.js';
import { PersonForm } from '../people/person-form.js';
import { useRenewFaces } from '../queries.js';
import { useReceipt } from '../use-receipt.js';
import { MergePerson } from './merge-person.js';

/** The actions on a person. */
export function PersonActions({ person }: { person: Person }) {
  const { t } = useTranslation();
  const [isEditing, editing] = useDisclosure(false);
  const [isMerging, merging] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon path={mdiPencil} size={16} />} onClick={editing.open}>
        {t('person.edit')}
      </Button>
      <Button variant="default" leftSection={<Icon path={mdiMerge} size={16} />} onClick={merging.open}>
        {t('person.merge')}
      </Button>
      <Deletion person={person} />
      <Modal opened={isEditing} onClose={editing.close} title={t('person.editTitle')}>
        <Edit person={person} onDone={editing.close} />
      </Modal>
      <MergePerson person={person} isOpen={isMerging} onClose={merging.close} />
    </>
  );
}

function Edit({ person, onDone }: { person: Person; onDone: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const save = useMutation({
    mutationFn: (fields: { name: string; keyId: string | null }) => client.people.change(person.id, fields),
    onSuccess: async () => {
      onDone();
      await renew();
    },
  });
  return (
    <PersonForm
      name={person.name}
      keyId={person.key_id}
      submit={t('person.save')}
      error={save.error}
      isBusy={save.isPending}
      onSubmit={save.mutate}
    />
  );
}

function Deletion({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const showError = useShowError();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const { name } = person;
  const remove = useMutation({
    mutationFn: () => client.people.remove(person.id),
    onSuccess: async (receipt) => {
      await navigate(`/faces/${person.model_id}`);
      showReceipt(t('person.deleted', { name }), receipt);
      await renew();
    },
    onError: showError,
  });
  const ask = () =>
    confirm({
      title: t('person.deleteTitle', { name }),
      text: t('person.deleteText', { images: t('faces.images', { count: person.images }) }),
      yes: t('person.delete'),
      onYes: () => remove.mutate(),
    });
  return (
    <Button
      variant="light"
      color="red"
      leftSection={<Icon path={mdiDelete} size={16} />}
      loading={remove.isPending}
      onClick={ask}
    >
      {t('person.delete')}
    </Button>
  );
}

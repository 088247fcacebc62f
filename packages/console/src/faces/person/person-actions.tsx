import type { Person } from '@lynceus/client';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiDelete, mdiMerge, mdiPencil } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { PersonWindow } from '../people/person-window.js';
import { useRenewFaces } from '../queries.js';
import { useReceipt } from '../use-receipt.js';
import { MergePerson } from './merge-person.js';

/** The actions on a person. */
export function PersonActions({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
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
      {isEditing && (
        <PersonWindow
          title={t('person.editTitle')}
          name={person.name}
          keyId={person.key_id}
          submit={t('kit.save')}
          save={(fields) => client.people.change(person.id, fields)}
          onSaved={renew}
          onClose={editing.close}
        />
      )}
      {isMerging && <MergePerson person={person} onClose={merging.close} />}
    </>
  );
}

function Deletion({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const { name } = person;
  const remove = useAction({
    mutationFn: () => client.people.remove(person.id),
    onSuccess: async (receipt) => {
      await navigate(`/faces/${person.model_id}`);
      showReceipt(t('person.deleted', { name }), receipt);
      await renew();
    },
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

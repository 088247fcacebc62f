import type { Person } from '@lynceus/client';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiDelete, mdiFolderMove } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { SelectionBar } from '../../kit/selection.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';
import { useReceipt } from '../use-receipt.js';
import { MoveImages } from './move-images.js';

/** The maximum of the service for one request. */
const most = 500;

/** Actions on the selected images. */
export function SelectedImages({
  person,
  selected,
  onAll,
  onNone,
}: {
  person: Person;
  selected: readonly number[];
  onAll: () => void;
  onNone: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const confirm = useConfirm();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const [isMoving, moving] = useDisclosure(false);
  const imageIds = selected.slice(0, most);
  const count = imageIds.length;
  const remove = useAction({
    mutationFn: () => client.faceImages.removeMany(person.model_id, imageIds),
    onSuccess: (receipt) => {
      onNone();
      showReceipt(t('person.deletedImages', { count: receipt.images }), receipt);
      return renew();
    },
  });
  const ask = () =>
    confirm({
      title: t('person.deleteImagesTitle', { count }),
      text: t('person.deleteImagesText'),
      yes: t('person.delete'),
      onYes: () => remove.mutate(),
    });
  return (
    <SelectionBar count={count} hint={t('person.selectHint')} onAll={onAll} onNone={onNone}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon path={mdiFolderMove} size={16} />}
        onClick={moving.open}
      >
        {t('person.move')}
      </Button>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        leftSection={<Icon path={mdiDelete} size={16} />}
        loading={remove.isPending}
        onClick={ask}
      >
        {t('person.delete')}
      </Button>
      {isMoving && <MoveImages person={person} imageIds={imageIds} onClose={moving.close} onMoved={onNone} />}
    </SelectionBar>
  );
}

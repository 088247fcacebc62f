import type { Person } from '@lynceus/client';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiDelete, mdiFolderMove } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { useShowError } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';
import { useReceipt } from '../use-receipt.js';
import { MoveImages } from './move-images.js';

/** As many as the service takes in one request. */
const most = 500;

/** Actions on the selected images. */
export function ChosenImages({
  person,
  chosen,
  onAll,
  onNone,
}: {
  person: Person;
  chosen: readonly number[];
  onAll: () => void;
  onNone: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const confirm = useConfirm();
  const showError = useShowError();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const [isMoving, moving] = useDisclosure(false);
  const imageIds = chosen.slice(0, most);
  const count = imageIds.length;
  const remove = useMutation({
    mutationFn: () => client.faceImages.removeMany(person.model_id, imageIds),
    onSuccess: (receipt) => {
      onNone();
      showReceipt(t('person.deletedImages', { count: receipt.images }), receipt);
      return renew();
    },
    onError: showError,
  });
  const ask = () =>
    confirm({
      title: t('person.deleteImagesTitle', { count }),
      text: t('person.deleteImagesText'),
      yes: t('person.delete'),
      onYes: () => remove.mutate(),
    });
  return (
    <Group mb="sm" gap="xs" mih={30}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {count === 0 ? t('person.chooseHint') : t('person.chosen', { count })}
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={count === 0 ? onAll : onNone}>
        {t(count === 0 ? 'person.chooseAll' : 'person.chooseNone')}
      </Button>
      {count > 0 && (
        <>
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
        </>
      )}
      <MoveImages
        person={person}
        imageIds={imageIds}
        isOpen={isMoving}
        onClose={moving.close}
        onMoved={onNone}
      />
    </Group>
  );
}

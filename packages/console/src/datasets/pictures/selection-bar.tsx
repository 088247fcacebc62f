import type { CountedDataset, DatasetPicture } from '@lynceus/client';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { mdiDelete, mdiSelectAll, mdiSelectOff } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { useShowError } from '../../kit/tell-error.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useRenewDataset } from '../queries.js';
import { chooseAll, nothingChosen, type Selection } from './selection.js';

const deletedAtOnce = 500;

/** What is done with the pictures that are chosen. */
export function SelectionBar({
  dataset,
  pictures,
  selection,
  onSelect,
}: {
  dataset: CountedDataset;
  pictures: readonly DatasetPicture[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const confirm = useConfirm();
  const showError = useShowError();
  const { ids } = selection;
  const remove = useMutation({
    mutationFn: async () => {
      const all = [...ids];
      let removed = 0;
      for (let from = 0; from < all.length; from += deletedAtOnce) {
        const receipt = await client.datasetPictures.removeMany(
          dataset.id,
          all.slice(from, from + deletedAtOnce),
        );
        removed += receipt.pictures;
      }
      return removed;
    },
    onSuccess: (removed) => {
      onSelect(nothingChosen);
      notifications.show({
        message: t('datasets.pictures.removed', { count: removed, pictures: format.number(removed) }),
      });
    },
    onError: showError,
    onSettled: renew,
  });
  const ask = () =>
    confirm({
      title: t('datasets.pictures.removeTitle', { count: ids.size, pictures: format.number(ids.size) }),
      text: t('datasets.pictures.removeText'),
      yes: t('datasets.pictures.remove'),
      onYes: () => remove.mutate(),
    });
  return (
    <Group gap="xs" mb="xs" mih={30}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon path={mdiSelectAll} size={16} />}
        onClick={() => onSelect(chooseAll(pictures.map(({ id }) => id)))}
      >
        {t('datasets.pictures.all', { count: pictures.length, pictures: format.number(pictures.length) })}
      </Button>
      {ids.size > 0 && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon path={mdiSelectOff} size={16} />}
            onClick={() => onSelect(nothingChosen)}
          >
            {t('datasets.pictures.nothing')}
          </Button>
          <Button
            size="compact-sm"
            color="red"
            variant="light"
            leftSection={<Icon path={mdiDelete} size={16} />}
            loading={remove.isPending}
            onClick={ask}
          >
            {t('datasets.pictures.remove')}
          </Button>
        </>
      )}
      <Text size="sm" c="dimmed" role="status">
        {ids.size > 0 &&
          t('datasets.pictures.chosen', { count: ids.size, pictures: format.number(ids.size) })}
      </Text>
    </Group>
  );
}

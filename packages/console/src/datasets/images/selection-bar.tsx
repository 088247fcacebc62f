import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { mdiDelete, mdiSelectAll, mdiSelectOff } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { useShowError } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useRenewDataset } from '../queries.js';
import { chooseAll, nothingChosen, type Selection } from './selection.js';

const deletedAtOnce = 500;

/** Actions on the selected images. */
export function SelectionBar({
  dataset,
  images,
  selection,
  onSelect,
}: {
  dataset: CountedDataset;
  images: readonly DatasetImage[];
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
        const receipt = await client.datasetImages.removeMany(
          dataset.id,
          all.slice(from, from + deletedAtOnce),
        );
        removed += receipt.images;
      }
      return removed;
    },
    onSuccess: (removed) => {
      onSelect(nothingChosen);
      notifications.show({
        message: t('datasets.images.removed', { count: removed, images: format.number(removed) }),
      });
    },
    onError: showError,
    onSettled: renew,
  });
  const ask = () =>
    confirm({
      title: t('datasets.images.removeTitle', { count: ids.size, images: format.number(ids.size) }),
      text: t('datasets.images.removeText'),
      yes: t('datasets.images.remove'),
      onYes: () => remove.mutate(),
    });
  return (
    <Group gap="xs" mb="xs" mih={30}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon path={mdiSelectAll} size={16} />}
        onClick={() => onSelect(chooseAll(images.map(({ id }) => id)))}
      >
        {t('datasets.images.all', { count: images.length, images: format.number(images.length) })}
      </Button>
      {ids.size > 0 && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon path={mdiSelectOff} size={16} />}
            onClick={() => onSelect(nothingChosen)}
          >
            {t('datasets.images.nothing')}
          </Button>
          <Button
            size="compact-sm"
            color="red"
            variant="light"
            leftSection={<Icon path={mdiDelete} size={16} />}
            loading={remove.isPending}
            onClick={ask}
          >
            {t('datasets.images.remove')}
          </Button>
        </>
      )}
      <Text size="sm" c="dimmed" role="status">
        {ids.size > 0 && t('datasets.images.chosen', { count: ids.size, images: format.number(ids.size) })}
      </Text>
    </Group>
  );
}

import { Button } from '@mantine/core';
import { mdiDelete } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { showDone } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { SelectionBar } from '../../kit/selection.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useRenewDataset } from '../queries.js';

const deletedAtOnce = 500;

/** Actions on the selected images. */
export function SelectedImages({
  datasetId,
  ids,
  onAll,
  onNone,
}: {
  datasetId: number;
  ids: ReadonlySet<number>;
  onAll: () => void;
  onNone: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(datasetId);
  const confirm = useConfirm();
  const remove = useAction({
    mutationFn: async () => {
      const all = [...ids];
      let removed = 0;
      for (let from = 0; from < all.length; from += deletedAtOnce) {
        const receipt = await client.datasetImages.removeMany(
          datasetId,
          all.slice(from, from + deletedAtOnce),
        );
        removed += receipt.images;
      }
      return removed;
    },
    onSuccess: (removed) => {
      onNone();
      showDone(t('datasets.images.removed', { count: removed, images: format.number(removed) }));
    },
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
    <SelectionBar count={ids.size} onAll={onAll} onNone={onNone}>
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
    </SelectionBar>
  );
}

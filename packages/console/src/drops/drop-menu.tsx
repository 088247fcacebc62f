import type { Drop } from '@lynceus/client';
import { mdiKeyChange } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../kit/confirm.js';
import { showDone } from '../kit/error-text.js';
import { ActionItem, ResourceMenu } from '../kit/resource-menu.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';

/** The menu of a drop. */
export function DropMenu({ drop, onNewKey }: { drop: Drop; onNewKey: (key: string) => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const client = useClient();
  const { renew, renewKey, remove } = useDropChanges(drop, onNewKey);
  const { id, name } = drop;
  return (
    <ResourceMenu
      label={t('drops.more')}
      look="button"
      isBusy={renewKey.isPending}
      rename={{
        item: t('drops.rename'),
        title: t('drops.renameTitle'),
        label: t('drops.name'),
        name,
        save: (wanted) => client.drops.change(id, { name: wanted }),
        onSaved: renew,
      }}
      remove={{
        item: t('drops.delete'),
        confirm: {
          title: t('drops.deleteTitle', { name }),
          text: t('drops.deleteText'),
          yes: t('drops.deleteYes'),
        },
        run: remove,
      }}
    >
      <ActionItem
        icon={mdiKeyChange}
        onClick={() =>
          confirm({
            title: t('drops.newKeyTitle', { name }),
            text: t('drops.newKeyText'),
            yes: t('drops.newKeyYes'),
            onYes: () => renewKey.mutate(),
          })
        }
      >
        {t('drops.newKey')}
      </ActionItem>
    </ResourceMenu>
  );
}

function useDropChanges({ id }: Drop, onNewKey: (key: string) => void) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { bytes, number } = useFormat();
  const renew = () => queries.invalidateQueries({ queryKey: ['drops'] });
  const renewKey = useAction({
    mutationFn: () => client.drops.renewKey(id),
    onSuccess: ({ key }) => {
      onNewKey(key);
      return renew();
    },
  });
  const remove = async () => {
    const { files, file_bytes } = await client.drops.remove(id);
    navigate('/drops');
    queries.removeQueries({ queryKey: ['drops', 'one', id] });
    const facts = { count: files, files: number(files), size: bytes(file_bytes) };
    showDone(t('drops.deleted', facts));
    return renew();
  };
  return { renew, renewKey, remove };
}

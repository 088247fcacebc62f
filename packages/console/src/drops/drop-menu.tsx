import type { Drop } from '@lynceus/client';
import { Button, Menu } from '@mantine/core';
import { mdiDotsHorizontal, mdiKeyChange, mdiRename } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../kit/confirm.js';
import { DeleteItem } from '../kit/delete-item.js';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { NameWindow } from '../kit/name-window.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';

/** The menu of a drop. */
export function DropMenu({ drop, onNewKey }: { drop: Drop; onNewKey: (key: string) => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [isRenaming, setIsRenaming] = useState(false);
  const client = useClient();
  const { renew, renewKey, remove } = useDropChanges(drop, onNewKey);
  const { name } = drop;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<Icon path={mdiDotsHorizontal} size={18} />}
            loading={renewKey.isPending || remove.isPending}
          >
            {t('drops.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon path={mdiRename} size={16} />} onClick={() => setIsRenaming(true)}>
            {t('drops.rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon path={mdiKeyChange} size={16} />}
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
          </Menu.Item>
          <Menu.Divider />
          <DeleteItem
            label={t('drops.delete')}
            confirm={{
              title: t('drops.deleteTitle', { name }),
              text: t('drops.deleteText'),
              yes: t('drops.deleteYes'),
            }}
            onYes={() => remove.mutate()}
          />
        </Menu.Dropdown>
      </Menu>
      {isRenaming && (
        <NameWindow
          title={t('drops.renameTitle')}
          label={t('drops.name')}
          name={name}
          save={(wanted) => client.drops.change(drop.id, { name: wanted })}
          onSaved={renew}
          onClose={() => setIsRenaming(false)}
        />
      )}
    </>
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
  const remove = useAction({
    mutationFn: () => client.drops.remove(id),
    onSuccess: ({ files, file_bytes }) => {
      navigate('/drops');
      queries.removeQueries({ queryKey: ['drops', 'one', id] });
      const facts = { count: files, files: number(files), size: bytes(file_bytes) };
      showDone(t('drops.deleted', facts));
      return renew();
    },
  });
  return { renew, renewKey, remove };
}

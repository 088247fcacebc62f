import type { StreamOutput } from '@lynceus/client';
import { ActionIcon, Menu } from '@mantine/core';
import { mdiDotsHorizontal, mdiPause, mdiPencil, mdiPlay, mdiSendCheck } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DeleteItem } from '../kit/delete-item.js';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { useAction } from '../kit/use-action.js';
import { useClient } from '../service/client.js';

/** The menu of an output. */
export function OutputMenu({
  output,
  onChange,
  onTest,
}: {
  output: StreamOutput;
  onChange: () => void;
  onTest: () => void;
}) {
  const { t } = useTranslation();
  const { id, name, enabled } = output;
  const { toggle, remove } = useOutputChanges(id);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('streamOutputs.more', { name })}
          loading={toggle.isPending || remove.isPending}
        >
          <Icon path={mdiDotsHorizontal} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon path={mdiSendCheck} size={16} />} onClick={onTest}>
          {t('streamOutputs.test')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon path={mdiPencil} size={16} />} onClick={onChange}>
          {t('streamOutputs.change')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon path={enabled ? mdiPause : mdiPlay} size={16} />}
          onClick={() => toggle.mutate(!enabled)}
        >
          {t(enabled ? 'streamOutputs.disable' : 'streamOutputs.enable')}
        </Menu.Item>
        <Menu.Divider />
        <DeleteItem
          label={t('streamOutputs.delete')}
          confirm={{
            title: t('streamOutputs.deleteTitle', { name }),
            text: t('streamOutputs.deleteText'),
            yes: t('streamOutputs.delete'),
          }}
          onYes={() => remove.mutate()}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

function useOutputChanges(id: number) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: ['stream-outputs'] });
  const toggle = useAction({
    mutationFn: (enabled: boolean) => client.streamOutputs.change(id, { enabled }),
    onSuccess: renew,
  });
  const remove = useAction({
    mutationFn: () => client.streamOutputs.remove(id),
    onSuccess: () => {
      showDone(t('streamOutputs.deleted'));
      return renew();
    },
  });
  return { toggle, remove };
}

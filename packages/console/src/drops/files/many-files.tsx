import type { Drop } from '@lynceus/client';
import { Button, Menu } from '@mantine/core';
import { mdiDelete, mdiDotsHorizontal, mdiRefresh } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { showDone } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';

/** Actions on all files of a state. */
export function ManyFiles({ drop }: { drop: Drop }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const { number, bytes } = useFormat();
  const onSettled = () => {
    queries.invalidateQueries({ queryKey: ['drops'] });
    return queries.invalidateQueries({ queryKey: ['drop-files', drop.id] });
  };
  const say = (message: string) => showDone(message);
  const retry = useAction({
    // The service works in batches and reports how many files are left.
    mutationFn: async () => {
      for (let sum = 0; ; ) {
        const { files, left } = await client.dropFiles.retryFailed(drop.id);
        sum += files;
        if (left === 0 || files === 0) return sum;
      }
    },
    onSuccess: (count) => say(t('dropFiles.retriedAll', { count, files: number(count) })),
    onSettled,
  });
  const purge = useAction({
    mutationFn: async (state: 'done' | 'failed') => {
      for (let sum = { files: 0, file_bytes: 0 }; ; ) {
        const { files, file_bytes, left } = await client.dropFiles.purge(drop.id, state);
        sum = { files: sum.files + files, file_bytes: sum.file_bytes + file_bytes };
        if (left === 0 || files === 0) return sum;
      }
    },
    onSuccess: ({ files, file_bytes }) =>
      say(t('dropFiles.purged', { count: files, files: number(files), size: bytes(file_bytes) })),
    onSettled,
  });
  const askPurge = (state: 'done' | 'failed') =>
    confirm({
      title: t(`dropFiles.purge.${state}Title`),
      text: t(`dropFiles.purge.${state}Text`),
      yes: t('dropFiles.delete'),
      onYes: () => purge.mutate(state),
    });
  const failed = drop.files.failed;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={retry.isPending || purge.isPending}
          leftSection={<Icon path={mdiDotsHorizontal} size={18} />}
        >
          {t('dropFiles.many')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={failed === 0}
          leftSection={<Icon path={mdiRefresh} size={16} />}
          onClick={() => retry.mutate()}
        >
          {t('dropFiles.retryAll', { count: failed, files: number(failed) })}
        </Menu.Item>
        <Menu.Divider />
        {(['done', 'failed'] as const).map((state) => (
          <Menu.Item
            key={state}
            color="red"
            disabled={state === 'failed' && failed === 0}
            leftSection={<Icon path={mdiDelete} size={16} />}
            onClick={() => askPurge(state)}
          >
            {t(`dropFiles.purge.${state}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import type { DropFileDetails } from '@lynceus/client';
import { Button, Group } from '@mantine/core';
import { mdiDelete, mdiDownload, mdiFileSearch, mdiRefresh } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFileLink } from '../../kit/use-file-link.js';
import { dropImageAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';
import { hasImage } from './file-state.js';

/** The actions on one file. */
export function FileActions({
  dropId,
  file,
  mayChange,
  onGone,
}: {
  dropId: number;
  file: DropFileDetails;
  mayChange: boolean;
  onGone: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const onFile = useFileLink();
  const { id, name, state, fileid } = file;
  const renew = () => {
    queries.invalidateQueries({ queryKey: ['drops'] });
    return queries.invalidateQueries({ queryKey: ['drop-files', dropId] });
  };
  const retry = useAction({
    mutationFn: () => client.dropFiles.retry(dropId, id),
    onSuccess: renew,
  });
  const remove = useAction({
    mutationFn: () => client.dropFiles.remove(dropId, id),
    onSuccess: () => {
      onGone();
      queries.removeQueries({ queryKey: ['drop-files', dropId, 'one', id] });
      return renew();
    },
  });
  return (
    <Group gap="xs">
      {mayChange && state === 'failed' && (
        <Button
          size="xs"
          leftSection={<Icon path={mdiRefresh} size={16} />}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          {t('dropFiles.retry')}
        </Button>
      )}
      {hasImage(state) && (
        <Button
          component="a"
          size="xs"
          variant="default"
          href={dropImageAddress(dropId, id)}
          download={name}
          onClick={onFile}
          leftSection={<Icon path={mdiDownload} size={16} />}
        >
          {t('dropFiles.download')}
        </Button>
      )}
      {fileid !== null && (
        <Button
          component={Link}
          size="xs"
          variant="default"
          to={`/files/${fileid}`}
          leftSection={<Icon path={mdiFileSearch} size={16} />}
        >
          {t('dropFiles.analysis')}
        </Button>
      )}
      {mayChange && (
        <Button
          size="xs"
          color="red"
          variant="light"
          leftSection={<Icon path={mdiDelete} size={16} />}
          loading={remove.isPending}
          onClick={() =>
            confirm({
              title: t('dropFiles.deleteTitle', { name }),
              text: t('dropFiles.deleteText'),
              yes: t('dropFiles.delete'),
              onYes: () => remove.mutate(),
            })
          }
        >
          {t('dropFiles.delete')}
        </Button>
      )}
    </Group>
  );
}

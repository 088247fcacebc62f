import type { Stream } from '@lynceus/client';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiLinkVariant, mdiPause, mdiPlay } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { ActionItem, ResourceMenu } from '../kit/resource-menu.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { useShowChanged } from './queries.js';
import { ViewLink } from './view-link.js';

/** The menu of a camera; for who may only look, the one action of it that looks. */
export function StreamMenu({ stream, mayChange }: { stream: Stream; mayChange: boolean }) {
  const { t } = useTranslation();
  const [isSharing, sharing] = useDisclosure(false);
  return (
    <>
      {mayChange ? (
        <ChangeMenu stream={stream} onShare={sharing.open} />
      ) : (
        <Button
          variant="default"
          leftSection={<Icon path={mdiLinkVariant} size={18} />}
          onClick={sharing.open}
        >
          {t('streams.share')}
        </Button>
      )}
      {isSharing && <ViewLink stream={stream} onClose={sharing.close} />}
    </>
  );
}

function ChangeMenu({ stream, onShare }: { stream: Stream; onShare: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const showChanged = useShowChanged();
  const { toggle, remove } = useStreamChanges(stream);
  const { id, name, enabled } = stream;
  return (
    <ResourceMenu
      label={t('streams.more')}
      look="button"
      isBusy={toggle.isPending}
      rename={{
        item: t('streams.rename'),
        title: t('streams.renameTitle'),
        label: t('streams.name'),
        name,
        save: async (wanted) => showChanged(await client.streams.change(id, { name: wanted })),
      }}
      remove={{
        item: t('streams.delete'),
        confirm: {
          title: t('streams.deleteTitle', { name }),
          text: t('streams.deleteText'),
          yes: t('streams.deleteYes'),
        },
        run: remove,
      }}
    >
      <ActionItem icon={enabled ? mdiPause : mdiPlay} onClick={() => toggle.mutate()}>
        {t(enabled ? 'streams.disable' : 'streams.enable')}
      </ActionItem>
      <ActionItem icon={mdiLinkVariant} onClick={onShare}>
        {t('streams.share')}
      </ActionItem>
    </ResourceMenu>
  );
}

function useStreamChanges({ id, name, enabled }: Stream) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { bytes, number } = useFormat();
  const showChanged = useShowChanged();
  const toggle = useAction({
    mutationFn: () => client.streams.change(id, { enabled: !enabled }),
    onSuccess: (stream) => {
      showDone(t(stream.enabled ? 'streams.enabledNow' : 'streams.disabledNow', { name }));
      return showChanged(stream);
    },
  });
  const remove = async () => {
    const { tracks, files, file_bytes } = await client.streams.remove(id);
    navigate('/streams');
    queries.removeQueries({ queryKey: ['streams', 'one', id] });
    showDone(
      t('streams.deleted', {
        count: tracks,
        tracks: number(tracks),
        files: number(files),
        size: bytes(file_bytes),
      }),
    );
    return Promise.all([
      queries.invalidateQueries({ queryKey: ['streams', 'list'] }),
      queries.invalidateQueries({ queryKey: ['stream-tracks'] }),
      queries.invalidateQueries({ queryKey: ['stream-events'] }),
    ]);
  };
  return { toggle, remove };
}

import type { StreamTrack } from '@lynceus/client';
import { Button, Group } from '@mantine/core';
import { mdiAccountOff, mdiDelete, mdiDownload } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../kit/confirm.js';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { useAction } from '../kit/use-action.js';
import { useFileLink } from '../kit/use-file-link.js';
import { clipAddress, snapshotAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';

/** The actions on one object. */
export function TrackActions({
  track,
  mayChange,
  onGone,
}: {
  track: StreamTrack;
  mayChange: boolean;
  onGone: () => void;
}) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const onFile = useFileLink();
  const { refuse, remove } = useTrackChanges(track, onGone);
  const name = track.person?.name;
  return (
    <Group gap="xs">
      {track.has_snapshot && (
        <FileButton
          href={snapshotAddress(track.id)}
          onFile={onFile}
          text={t('streamEvents.downloadSnapshot')}
        />
      )}
      {track.has_clip && (
        <FileButton href={clipAddress(track.id)} onFile={onFile} text={t('streamEvents.downloadClip')} />
      )}
      {mayChange && name !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon path={mdiAccountOff} size={16} />}
          loading={refuse.isPending}
          onClick={() =>
            confirm({
              title: t('streamEvents.notPersonTitle', { name }),
              text: t('streamEvents.notPersonText', { name }),
              yes: t('streamEvents.notPersonYes', { name }),
              onYes: () => refuse.mutate(),
            })
          }
        >
          {t('streamEvents.notPerson', { name })}
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
              title: t('streamEvents.deleteTitle'),
              text: t('streamEvents.deleteText'),
              yes: t('streamEvents.delete'),
              onYes: () => remove.mutate(),
            })
          }
        >
          {t('streamEvents.delete')}
        </Button>
      )}
    </Group>
  );
}

function FileButton({
  href,
  text,
  onFile,
}: {
  href: string;
  text: string;
  onFile: ReturnType<typeof useFileLink>;
}) {
  return (
    <Button
      component="a"
      size="xs"
      variant="default"
      href={href}
      download
      onClick={onFile}
      leftSection={<Icon path={mdiDownload} size={16} />}
    >
      {text}
    </Button>
  );
}

function useTrackChanges({ id }: StreamTrack, onGone: () => void) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const renew = () => {
    queries.invalidateQueries({ queryKey: ['stream-events'] });
    return queries.invalidateQueries({ queryKey: ['stream-tracks'] });
  };
  const refuse = useAction({
    mutationFn: () => client.streamTracks.refusePerson(id),
    onSuccess: ({ reason }) => {
      showDone(reason === null ? t('streamEvents.refused') : t('streamEvents.refusedOnly', { reason }));
      return renew();
    },
  });
  const remove = useAction({
    mutationFn: () => client.streamTracks.remove(id),
    onSuccess: () => {
      onGone();
      queries.removeQueries({ queryKey: ['stream-tracks', 'one', id] });
      showDone(t('streamEvents.deleted'));
      return renew();
    },
  });
  return { refuse, remove };
}

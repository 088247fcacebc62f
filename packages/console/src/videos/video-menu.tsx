import type { Video } from '@lynceus/client';
import { Button, Menu } from '@mantine/core';
import { mdiDotsHorizontal, mdiDownload } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { DeleteItem } from '../kit/delete-item.js';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { useAction } from '../kit/use-action.js';
import { useFileLink } from '../kit/use-file-link.js';
import { useFormat } from '../kit/use-format.js';
import { timelineAddress, videoFileAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';

const formats = ['json', 'csv', 'vtt'] as const;

/** Downloads of a video, and its deletion. */
export function VideoMenu({ video, mayChange }: { video: Video; mayChange: boolean }) {
  const { t } = useTranslation();
  const { id, file, has_timeline: hasTimeline } = video;
  return (
    <>
      {file && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<Icon path={mdiDownload} size={18} />}>
              {t('videos.downloads')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {hasTimeline &&
              formats.map((format) => (
                <FileItem
                  key={format}
                  href={timelineAddress(id, format)}
                  text={t(`videos.download.${format}`)}
                />
              ))}
            <FileItem href={videoFileAddress(id)} text={t('videos.download.file')} />
          </Menu.Dropdown>
        </Menu>
      )}
      {mayChange && <Actions video={video} />}
    </>
  );
}

function FileItem({ href, text }: { href: string; text: string }) {
  const onFile = useFileLink();
  return (
    <Menu.Item component="a" href={href} download onClick={onFile}>
      {text}
    </Menu.Item>
  );
}

function Actions({ video: { id, name } }: { video: Video }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { bytes } = useFormat();
  const remove = useAction({
    mutationFn: () => client.videos.remove(id),
    onSuccess: ({ file_bytes }) => {
      navigate('/videos');
      queries.removeQueries({ queryKey: ['videos', id] });
      showDone(t('videos.deleted', { size: bytes(file_bytes) }));
      return queries.invalidateQueries({ queryKey: ['videos'] });
    },
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon path={mdiDotsHorizontal} size={18} />}
          loading={remove.isPending}
        >
          {t('videos.more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <DeleteItem
          label={t('videos.delete')}
          confirm={{
            title: t('videos.deleteTitle', { name }),
            text: t('videos.deleteText'),
            yes: t('videos.deleteYes'),
          }}
          onYes={() => remove.mutate()}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

import type { Video } from '@lynceus/client';
import { Button, Menu } from '@mantine/core';
import { mdiDownload } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { FileItem, ResourceMenu } from '../kit/resource-menu.js';
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
                <FileItem key={format} href={timelineAddress(id, format)}>
                  {t(`videos.download.${format}`)}
                </FileItem>
              ))}
            <FileItem href={videoFileAddress(id)}>{t('videos.download.file')}</FileItem>
          </Menu.Dropdown>
        </Menu>
      )}
      {mayChange && <Actions video={video} />}
    </>
  );
}

function Actions({ video: { id, name } }: { video: Video }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { bytes } = useFormat();
  return (
    <ResourceMenu
      label={t('videos.more')}
      look="button"
      remove={{
        item: t('videos.delete'),
        confirm: {
          title: t('videos.deleteTitle', { name }),
          text: t('videos.deleteText'),
          yes: t('videos.deleteYes'),
        },
        run: async () => {
          const { file_bytes } = await client.videos.remove(id);
          navigate('/videos');
          queries.removeQueries({ queryKey: ['videos', id] });
          showDone(t('videos.deleted', { size: bytes(file_bytes) }));
          return queries.invalidateQueries({ queryKey: ['videos'] });
        },
      }}
    />
  );
}

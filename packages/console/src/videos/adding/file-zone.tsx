import { Button, FileButton, Text } from '@mantine/core';
import { mdiFilmstrip } from '@mdi/js';
import type { DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import styles from './file-zone.module.css';

/** Not `video/*` alone: browsers do not know the types of all containers. */
const accepted = 'video/*,.mkv,.avi,.ts,.mts,.m2ts';

/** Where a video file is dropped or chosen. */
export function FileZone({ file, onChoose }: { file: File | null; onChoose: (file: File | null) => void }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const dropTarget = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      event.stopPropagation();
      const [dropped] = event.dataTransfer.files;
      if (dropped) onChoose(dropped);
    },
  };
  return (
    <div className={styles['zone']} {...dropTarget}>
      <Icon path={mdiFilmstrip} size={36} />
      <Text ta="center" style={{ overflowWrap: 'anywhere' }} aria-live="polite">
        {file
          ? t('videos.adding.chosen', { name: file.name, size: bytes(file.size) })
          : t('videos.adding.drop')}
      </Text>
      <FileButton accept={accepted} onChange={onChoose}>
        {(props) => (
          <Button variant="default" data-autofocus {...props}>
            {t('videos.adding.choose')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}

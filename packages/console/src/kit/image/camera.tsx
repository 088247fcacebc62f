import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { mdiCamera } from '@mdi/js';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.js';
import { Window } from '../window.js';
import styles from './camera.module.css';
import { useCameraStream } from './use-camera-stream.js';

/** JPEG quality: high, since the quality of the face is checked afterwards. */
const quality = 0.95;

/** The live view of the camera, with a button that takes a photo. */
export function Camera({
  isMany,
  onClose,
  onTake,
}: {
  /** Whether the window stays open after a photo. */
  isMany: boolean;
  onClose: () => void;
  onTake: (file: File) => void;
}) {
  const { t } = useTranslation();
  return (
    <Window onClose={onClose} size="lg" title={t('image.camera')}>
      <Viewfinder
        isMany={isMany}
        onTake={(file) => {
          onTake(file);
          if (!isMany) onClose();
        }}
      />
    </Window>
  );
}

function Viewfinder({ isMany, onTake }: { isMany: boolean; onTake: (file: File) => void }) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const [taken, setTaken] = useState(0);
  const camera = useCameraStream(video, wanted);
  const take = async () => {
    if (!video.current) return;
    const file = await takeSnapshot(video.current);
    setTaken((before) => before + 1);
    onTake(file);
  };
  if (camera.problem) {
    return (
      <Alert color="red" role="alert" title={t('image.noCamera')}>
        {t(`image.cameraProblem.${camera.problem}`)}
      </Alert>
    );
  }
  return (
    <Stack>
      <div className={styles['frame']}>
        <video ref={video} className={styles['video']} muted playsInline aria-label={t('image.live')} />
      </div>
      {camera.devices.length > 1 && (
        <Select
          label={t('image.whichCamera')}
          data={camera.devices}
          value={wanted ?? camera.deviceId}
          onChange={setWanted}
          allowDeselect={false}
        />
      )}
      <Group justify="space-between">
        <Text size="sm" aria-live="polite">
          {isMany && taken > 0 && t('image.taken', { count: taken })}
        </Text>
        <Button disabled={!camera.isLive} leftSection={<Icon path={mdiCamera} size={18} />} onClick={take}>
          {t('image.take')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The current frame of a video, in its full size. */
async function takeSnapshot(video: HTMLVideoElement): Promise<File> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no images');
  pen.drawImage(video, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  return new File([blob], 'camera.jpg', { type: blob.type });
}

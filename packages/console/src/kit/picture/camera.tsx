import { Alert, Button, Modal, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The camera's live picture, and a button that takes it. */
export function Camera({ onTake, onClose }: { onTake: (file: File) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    // Browsers give a camera to https and to this machine alone.
    const opening = navigator.mediaDevices?.getUserMedia({ video: { width: { ideal: 1280 } }, audio: false });
    if (!opening) setProblem(t('picture.cameraNeedsTls'));
    opening?.then(
      (opened) => {
        stream = opened;
        if (isOver) stopStream(opened);
        else if (video.current) video.current.srcObject = opened;
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isOver = true;
      if (stream) stopStream(stream);
    };
  }, [t]);
  const take = async () => {
    if (video.current) onTake(await snapshot(video.current));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('picture.camera')}
      closeButtonProps={{ 'aria-label': t('kit.close') }}
    >
      <Stack>
        {problem ? (
          <Alert color="red" title={t('picture.noCamera')}>
            {problem}
          </Alert>
        ) : (
          <video
            ref={video}
            autoPlay
            playsInline
            muted
            style={{ width: '100%', borderRadius: 8 }}
            aria-label={t('picture.live')}
          />
        )}
        <Button onClick={take} disabled={problem !== null}>
          {t('picture.take')}
        </Button>
      </Stack>
    </Modal>
  );
}

function stopStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

async function snapshot(video: HTMLVideoElement): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  if (!blob) throw new Error('the camera gave no picture');
  return new File([blob], 'camera.jpg', { type: blob.type });
}

import { Box, LoadingOverlay, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AnnotatedImage } from '../kit/image/annotated-image.js';
import type { Finding } from '../kit/image/finding.js';
import { type ChosenImage, toSource } from '../kit/image/image-input.js';
import { useShownImage } from '../kit/image/use-shown-image.js';

/** Sharp on high-resolution screens, and smaller than most photographs. */
const maxSide = 2048;

/** The chosen image with its findings. */
export function Shown({
  chosen,
  isBusy,
  isRefused,
  ...drawn
}: {
  chosen: ChosenImage;
  findings: readonly Finding[];
  isBusy: boolean;
  /** The service refused the image, and the page shows the reason. */
  isRefused: boolean;
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const { src, size, isWaiting, onBroken } = useShownImage(toSource(chosen), { maxSide });
  return (
    <Box pos="relative" mih={isRefused ? 0 : 160}>
      <LoadingOverlay visible={isBusy || isWaiting} zIndex={5} overlayProps={{ backgroundOpacity: 0.35 }} />
      {src ? (
        <AnnotatedImage
          src={src}
          size={size}
          alt={'file' in chosen ? chosen.file.name : chosen.url}
          onBroken={onBroken}
          otherwise={null}
          {...drawn}
        />
      ) : (
        !isWaiting &&
        !isRefused && (
          <Paper withBorder p="xl">
            <Text ta="center" c="dimmed">
              {t('image.cannotShow')}
            </Text>
          </Paper>
        )
      )}
    </Box>
  );
}

import { Box, LoadingOverlay, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AnnotatedPicture } from '../kit/picture/annotated-picture.js';
import type { Finding } from '../kit/picture/finding.js';
import { type ChosenPicture, toSource } from '../kit/picture/picture-input.js';
import { useShownPicture } from '../kit/picture/use-shown-picture.js';

/** Sharp on screens of many pixels, and less than most cameras make. */
const maxSide = 2048;

/** The picture that was chosen, with what was found in it. */
export function Shown({
  chosen,
  isBusy,
  isRefused,
  ...drawn
}: {
  chosen: ChosenPicture;
  findings: readonly Finding[];
  isBusy: boolean;
  /** The service could do nothing with it, and the page says why. */
  isRefused: boolean;
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const { src, size, isWaiting, onBroken } = useShownPicture(toSource(chosen), { maxSide });
  return (
    <Box pos="relative" mih={isRefused ? 0 : 160}>
      <LoadingOverlay visible={isBusy || isWaiting} zIndex={5} overlayProps={{ backgroundOpacity: 0.35 }} />
      {src ? (
        <AnnotatedPicture
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
              {t('picture.cannotShow')}
            </Text>
          </Paper>
        )
      )}
    </Box>
  );
}

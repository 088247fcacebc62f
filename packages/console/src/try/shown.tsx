import { Box, LoadingOverlay, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { AnnotatedPicture } from '../kit/picture/annotated-picture.js';
import type { Finding } from '../kit/picture/finding.js';
import type { ChosenPicture } from '../kit/picture/picture-input.js';
import { useObjectUrl } from '../kit/picture/use-object-url.js';

/** The picture that was chosen, with what was found in it. */
export function Shown({
  chosen,
  isBusy,
  ...drawn
}: {
  chosen: ChosenPicture;
  findings: readonly Finding[];
  isBusy: boolean;
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const src = useObjectUrl('file' in chosen ? chosen.file : null);
  const otherwise = (
    <Paper withBorder p="xl">
      <Text ta="center" c="dimmed">
        {t('picture.cannotShow')}
      </Text>
    </Paper>
  );
  return (
    <Box pos="relative" mih={160}>
      <LoadingOverlay visible={isBusy} zIndex={5} overlayProps={{ backgroundOpacity: 0.35 }} />
      {src ? (
        <AnnotatedPicture
          src={src}
          alt={'file' in chosen ? chosen.file.name : chosen.url}
          otherwise={otherwise}
          {...drawn}
        />
      ) : (
        'url' in chosen && otherwise
      )}
    </Box>
  );
}

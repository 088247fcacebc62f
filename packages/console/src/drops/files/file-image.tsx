import type { DropFileDetails } from '@lynceus/client';
import { Center, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AnnotatedImage } from '../../kit/image/annotated-image.js';
import { FindingsList } from '../../kit/image/findings-list.js';
import { useClient } from '../../service/client.js';
import { dropImageAddress } from './drop-image.js';
import { findingsOfLabels } from './findings-of-labels.js';

/** The image with what was found in it. Boxes are drawn for as long as its analysis is kept, which tells its size. */
export function FileImage({ dropId, file }: { dropId: number; file: DropFileDetails }) {
  const { t } = useTranslation();
  const client = useClient();
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const { id, name, fileid, labels } = file;
  const analysis = useQuery({
    queryKey: ['files', 'one', fileid],
    queryFn: ({ signal }) => client.files.read(fileid ?? '', { signal }),
    enabled: fileid !== null,
    retry: false,
  });
  const findings = labels === null ? [] : findingsOfLabels(labels);
  const size = analysis.data?.image;
  return (
    <Stack gap="sm">
      <AnnotatedImage
        src={dropImageAddress(dropId, id, 1280)}
        alt={name}
        size={size}
        findings={size ? findings : []}
        highlighted={highlighted}
        onHighlight={setHighlighted}
        otherwise={
          <Paper withBorder p="lg">
            <Center>
              <Text c="dimmed">{t('dropFiles.noImage')}</Text>
            </Center>
          </Paper>
        }
      />
      {labels !== null && (
        <FindingsList findings={findings} highlighted={highlighted} onHighlight={setHighlighted} />
      )}
    </Stack>
  );
}

import type { DropFileDetails, DropLabels } from '@lynceus/client';
import { Center, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AnnotatedImage } from '../../kit/image/annotated-image.js';
import { cornersOfBox, type Finding, toFinding } from '../../kit/image/finding.js';
import { FindingsList } from '../../kit/image/findings-list.js';
import { dropImageAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';

/** The image with its findings. Boxes are drawn as long as the analysis is stored, which has the size of the image. */
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

/** The findings of a file, to be drawn and listed. */
function findingsOfLabels({ objects, faces, texts, classes }: DropLabels): readonly Finding[] {
  return [
    ...objects.map(({ title, score, box }, index) =>
      toFinding('object', index, { label: title, score, corners: cornersOf(box) }),
    ),
    ...faces.map(({ person, score, box }, index) =>
      toFinding('face', index, {
        label: person?.name ?? '',
        score: person?.similarity ?? score,
        corners: cornersOf(box),
      }),
    ),
    ...texts.map(({ text, score }, index) => toFinding('text', index, { label: text, score })),
    ...classes.map(({ title, score }, index) => toFinding('class', index, { label: title, score })),
  ];
}

function cornersOf({ x_min, y_min, x_max, y_max }: DropLabels['objects'][number]['box']) {
  return cornersOfBox(x_min, y_min, x_max, y_max);
}

import type { DropFileDetails, DropLabels } from '@lynceus/client';
import { Center, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AnnotatedImage } from '../../kit/image/annotated-image.js';
import { cornersOfBox, type Finding } from '../../kit/image/finding.js';
import { FindingsList } from '../../kit/image/findings-list.js';
import { dropImageAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';

type Box = DropLabels['objects'][number]['box'];

/** The image with what was found in it. Boxes are drawn for as long as its analysis, which has the size, is kept. */
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

/** What was found in a drop's file, as it is drawn and listed. */
function findingsOfLabels({ objects, faces, texts, classes }: DropLabels): readonly Finding[] {
  const found = (kind: Finding['kind'], index: number, label: string, score: number, box: Box | null) => ({
    id: `${kind}-${index}`,
    kind,
    label,
    score,
    details: [],
    corners: box === null ? null : cornersOfBox(box.x_min, box.y_min, box.x_max, box.y_max),
  });
  return [
    ...objects.map(({ title, score, box }, index) => found('object', index, title, score, box)),
    ...faces.map(({ person, score, box }, index) =>
      found('face', index, person?.name ?? '', person?.similarity ?? score, box),
    ),
    ...texts.map(({ text, score }, index) => found('text', index, text, score, null)),
    ...classes.map(({ title, score }, index) => found('class', index, title, score, null)),
  ];
}

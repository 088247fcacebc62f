import type { DatasetImportFormat } from '@lynceus/client';
import { Button, FileInput, Select, Stack, Text } from '@mantine/core';
import { mdiFolderZip } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../kit/icon.js';
import { useAction } from '../kit/use-action.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';

const formats = [
  ...(['folders', 'coco', 'voc', 'yolo', 'csv'] as const),
  ...(['kitti', 'createml', 'cvat', 'via'] as const),
] as const satisfies readonly DatasetImportFormat[];
/** The default upload time limit of the service. */
const timeoutMs = 3_600_000;

/** Uploads a zip; the page of the dataset shows the job. */
export function ImportZip({ datasetId, onClose }: { datasetId: number; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [zip, setZip] = useState<File | null>(null);
  const [format, setFormat] = useState<DatasetImportFormat | null>(null);
  const send = useAction({
    mutationFn: (file: File) =>
      client.datasets.import(datasetId, file, { format: format ?? undefined, timeoutMs }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['jobs'] });
      onClose();
    },
  });
  return (
    <Window onClose={onClose} closeOnClickOutside={!send.isPending} title={t('datasets.importTitle')}>
      <Stack>
        <Text size="sm">{t('datasets.importText')}</Text>
        <FileInput
          label={t('datasets.zip')}
          placeholder={t('datasets.chooseZip')}
          accept=".zip,application/zip"
          leftSection={<Icon path={mdiFolderZip} size={16} />}
          clearable
          value={zip}
          onChange={setZip}
        />
        <Select
          label={t('datasets.importFormat')}
          placeholder={t('datasets.detectedFormat')}
          clearable
          data={formats.map((value) => ({ value, label: t(`datasets.format.${value}`) }))}
          value={format}
          onChange={(value) => setFormat(value)}
        />
        <Button disabled={!zip} loading={send.isPending} onClick={() => zip && send.mutate(zip)}>
          {t('datasets.importSubmit')}
        </Button>
      </Stack>
    </Window>
  );
}

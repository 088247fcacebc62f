import type { ReadModelVersion } from '@lynceus/client';
import { List, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';

/** How an uploaded file was read: format, assumptions, and the cost of a prediction. */
export function ImportNotes({ version }: { version: ReadModelVersion }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!version.import) return null;
  const { format: kind, files, notes, trial_ms, trial_mb } = version.import;
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('models.uploads.read', {
          format: kind,
          files: files.join(', '),
          count: version.labels.length,
          labels: format.number(version.labels.length),
        })}
      </Text>
      <Text size="sm">
        {t('models.uploads.cost', {
          time: `${format.number(Math.round(trial_ms))} ms`,
          memory: `${format.number(Math.round(trial_mb))} MiB`,
        })}
      </Text>
      {notes.length > 0 && (
        <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

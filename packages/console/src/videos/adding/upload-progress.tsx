import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import type { Sent } from '../../service/upload-fetch.js';

/** How much of a file was sent, with a button that cancels it. */
export function UploadProgress({ sent, onCancel }: { sent: Sent | null; onCancel: () => void }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const { sentBytes, totalBytes } = sent ?? { sentBytes: 0, totalBytes: 0 };
  const isSent = totalBytes > 0 && sentBytes >= totalBytes;
  return (
    <Stack>
      <Progress.Root size="lg">
        <Progress.Section
          value={totalBytes === 0 ? 0 : (100 * sentBytes) / totalBytes}
          striped={isSent}
          animated={isSent}
          aria-label={t('videos.adding.progress')}
        />
      </Progress.Root>
      <Text role="status">
        {isSent
          ? t('videos.adding.storing')
          : t('videos.adding.sending', { done: bytes(sentBytes), total: bytes(totalBytes) })}
      </Text>
      <Group justify="end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {t('videos.adding.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

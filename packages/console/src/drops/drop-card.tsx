import type { Drop, DropDestination } from '@lynceus/client';
import { Anchor, Box, Card, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { mdiFolderDownload } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { GivenName } from '../kit/given-name.js';
import { Icon } from '../kit/icon.js';
import { DropCounts } from './drop-counts.js';

/** A drop in the list: its name, its destination, and its counts. */
export function DropCard({ drop }: { drop: Drop }) {
  const { t } = useTranslation();
  const { id, name, ftp, destination } = drop;
  return (
    <Card component="li" withBorder miw={0}>
      <Stack gap="sm" h="100%" justify="space-between">
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon size={40} radius="md" variant="light">
            <Icon path={mdiFolderDownload} size={22} />
          </ThemeIcon>
          <Box miw={0}>
            <Anchor component={Link} to={`/drops/${id}`} c="inherit">
              <GivenName name={name} fw={600} />
            </Anchor>
            <Text size="xs" c="dimmed" truncate="end">
              {ftp.user_name}
            </Text>
          </Box>
        </Group>
        <Box miw={0}>
          <Text size="xs" c="dimmed">
            {t('drops.goesTo')}
          </Text>
          <GivenName
            size="sm"
            name={
              destination === null
                ? t('drops.staysHere')
                : `${t(`destinations.short.${destination.kind}`)} · ${describeDestination(destination)}`
            }
          />
        </Box>
        <DropCounts drop={drop} />
      </Stack>
    </Card>
  );
}

/** The destination in short: a host, a bucket, an address or a folder. */
function describeDestination(destination: DropDestination): string {
  switch (destination.kind) {
    case 'ftp':
    case 'ftps':
    case 'sftp':
      return `${destination.host}${folderPart(destination.folder)}`;
    case 's3':
      return `${destination.bucket}${folderPart(destination.prefix)}`;
    case 'http':
      return destination.address;
    case 'folder':
      return destination.folder;
  }
}

function folderPart(folder = ''): string {
  return folder === '' ? '' : `/${folder.replace(/^\//, '')}`;
}

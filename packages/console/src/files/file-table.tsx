import type { FileHead } from '@lynceus/client';
import { Anchor, Badge, Group, Image, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useKeyNames } from '../keys/key-names.js';
import { GivenName } from '../kit/given-name.js';
import { ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';
import { fileImageAddress } from '../service/addresses.js';

export function FileTable({ files }: { files: readonly FileHead[] }) {
  const { t } = useTranslation();
  const keys = useKeyNames();
  return (
    <ListTable
      items={files}
      keyOf={({ fileid }) => fileid}
      columns={[
        { name: t('files.column.file'), width: 175, cell: (file) => <FileLink file={file} /> },
        { name: t('files.column.found'), cell: ({ summary }) => <Labels labels={summary.labels} /> },
        {
          name: t('files.column.operation'),
          width: 210,
          cell: ({ operation }) => <GivenName name={operation} size="sm" />,
        },
        {
          name: t('files.column.key'),
          width: 120,
          cell: ({ key_id }) => <GivenName name={keys.nameOf(key_id)} size="sm" />,
        },
        { name: t('files.column.at'), width: 140, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

function FileLink({ file: { fileid, image_bytes } }: { file: FileHead }) {
  return (
    <Anchor component={Link} to={`/files/${fileid}`} display="block">
      <Group gap="xs" wrap="nowrap">
        {image_bytes !== null && (
          <Image
            src={fileImageAddress(fileid, 64)}
            w={48}
            h={36}
            fit="cover"
            radius="sm"
            alt=""
            loading="lazy"
          />
        )}
        <Text span size="sm" ff="monospace">
          {fileid.slice(0, 8)}…
        </Text>
      </Group>
    </Anchor>
  );
}

const shownLabels = 4;

function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return <Text c="dimmed">–</Text>;
  return (
    <Group gap={4}>
      {labels.slice(0, shownLabels).map((label) => (
        <Badge key={label} variant="light" maw={180}>
          {label}
        </Badge>
      ))}
      {labels.length > shownLabels && <Text size="xs">+{labels.length - shownLabels}</Text>}
    </Group>
  );
}

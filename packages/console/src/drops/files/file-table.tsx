import type { DropFile } from '@lynceus/client';
import { Badge, Box, Center, Group, Text, UnstyledButton } from '@mantine/core';
import { mdiFileImage } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { toSentence } from '../../kit/error-text.js';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import { dropImageAddress } from '../../service/addresses.js';
import { FileState, hasImage } from './file-state.js';

/** Files of a drop. A row opens its file, by mouse anywhere and by keyboard at its name. */
export function FileTable({
  dropId,
  files,
  onOpen,
}: {
  dropId: number;
  files: readonly DropFile[];
  onOpen: (file: DropFile) => void;
}) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={files}
      keyOf={({ id }) => id}
      onOpen={onOpen}
      columns={[
        { name: t('dropFiles.column.name'), cell: (file) => <FileName dropId={dropId} file={file} /> },
        { name: t('dropFiles.column.state'), width: 130, cell: ({ state }) => <FileState state={state} /> },
        { name: t('dropFiles.column.keywords'), cell: (file) => <Outcome file={file} /> },
        { name: t('dropFiles.column.at'), width: 180, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

function FileName({ dropId, file }: { dropId: number; file: DropFile }) {
  const { bytes } = useFormat();
  const { id, name, folder, state } = file;
  return (
    <Group gap="sm" wrap="nowrap">
      <Box w={56} h={42} style={{ borderRadius: 6, overflow: 'hidden', flexShrink: 0 }}>
        {hasImage(state) ? (
          <Thumbnail src={dropImageAddress(dropId, id, 160)} alt="" />
        ) : (
          <Center h="100%" c="dimmed">
            <Icon path={mdiFileImage} />
          </Center>
        )}
      </Box>
      <Box miw={0}>
        <UnstyledButton display="block" w="100%" aria-haspopup="dialog">
          <GivenName name={name} size="sm" fw={500} />
        </UnstyledButton>
        <GivenName
          name={`${folder === '' ? '' : `${folder} · `}${bytes(file.file_bytes)}`}
          size="xs"
          c="dimmed"
        />
      </Box>
    </Group>
  );
}

/** The keywords of a file, or why it has none. */
function Outcome({ file: { error, summary } }: { file: DropFile }) {
  if (error !== null) {
    return (
      <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {toSentence(error)}
      </Text>
    );
  }
  return (
    <Group gap={4}>
      {summary.keywords.map((keyword) => (
        <Badge key={keyword} variant="default" maw={140} fw={400}>
          {keyword}
        </Badge>
      ))}
    </Group>
  );
}

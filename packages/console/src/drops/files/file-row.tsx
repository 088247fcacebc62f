import type { DropFile } from '@lynceus/client';
import { Badge, Box, Center, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { mdiFileImage } from '@mdi/js';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import { dropPictureAddress } from './drop-picture.js';
import { FileState, hasPicture } from './file-state.js';

/** A file among others. Its row opens it, by mouse anywhere and by keyboard at its name. */
export function FileRow({ dropId, file, onOpen }: { dropId: number; file: DropFile; onOpen: () => void }) {
  const { bytes } = useFormat();
  const { id, name, folder, state, summary, error } = file;
  return (
    <Table.Tr onClick={onOpen} style={{ cursor: 'pointer' }}>
      <Table.Td>
        <Box w={56} h={42} style={{ borderRadius: 6, overflow: 'hidden' }}>
          {hasPicture(state) ? (
            <Thumbnail src={dropPictureAddress(dropId, id, 160)} alt="" />
          ) : (
            <Center h="100%" c="dimmed">
              <Icon path={mdiFileImage} />
            </Center>
          )}
        </Box>
      </Table.Td>
      <Table.Td>
        <UnstyledButton display="block" w="100%" aria-haspopup="dialog">
          <GivenName name={name} size="sm" fw={500} />
        </UnstyledButton>
        <GivenName
          name={`${folder === '' ? '' : `${folder} · `}${bytes(file.file_bytes)}`}
          size="xs"
          c="dimmed"
        />
      </Table.Td>
      <Table.Td>
        <FileState state={state} />
      </Table.Td>
      <Table.Td>
        {error === null ? (
          <Group gap={4}>
            {summary.keywords.map((keyword) => (
              <Badge key={keyword} variant="default" tt="none" maw={140} fw={400}>
                {keyword}
              </Badge>
            ))}
          </Group>
        ) : (
          <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {error}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Moment at={file.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

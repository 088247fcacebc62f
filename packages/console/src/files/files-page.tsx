import { Badge, Code, Group, Image, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { mdiFileSearch, mdiMagnify } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useKeyNames } from '../keys/key-names.js';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { Moment } from '../kit/moment.js';
import { PageHead } from '../kit/page-head.js';
import { Pager } from '../kit/pager.js';
import { usePager } from '../kit/use-pager.js';
import { useClient } from '../service/client.js';
import { filePictureAddress } from './file-picture.js';

const operations = [
  'v1.predict_image',
  'v1.predict_object_detection',
  'v1.face_search',
  'v2.predict',
  'drop',
];

const pageLength = 50;

/** Kept analyses, the newest first. */
export function FilesPage() {
  const { t } = useTranslation();
  const client = useClient();
  const keyNames = useKeyNames();
  const [operation, setOperation] = useState<string | null>(null);
  const [day, setDay] = useState('');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const filter = {
    ...(operation === null ? {} : { operation }),
    ...(search === '' ? {} : { search }),
    // The whole of that day, and what came before it.
    ...(day === '' ? {} : { to: new Date(new Date(`${day}T00:00:00`).getTime() + 86_400_000) }),
  };
  const isFiltered = operation !== null || search !== '' || day !== '';
  const pager = usePager(['files', operation, search, day], (cursor, signal) =>
    client.files.page({ ...filter, limit: pageLength, cursor, signal }),
  );
  return (
    <>
      <PageHead title={t('files.title')} text={t('files.text')} />
      <Group mb="md" align="end">
        <TextInput
          type="search"
          aria-label={t('files.search')}
          placeholder={t('files.search')}
          leftSection={<Icon path={mdiMagnify} size={18} />}
          value={typed}
          maxLength={200}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          aria-label={t('files.operation')}
          placeholder={t('files.operation')}
          clearable
          data={operations}
          value={operation}
          onChange={setOperation}
        />
        <TextInput
          type="date"
          label={t('files.until')}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      </Group>
      <Answered query={pager.query}>
        {({ data: files }) =>
          files.length === 0 ? (
            <Empty
              icon={mdiFileSearch}
              title={t(isFiltered ? 'files.noneFound' : 'files.emptyTitle')}
              text={t(isFiltered ? 'files.noneFoundText' : 'files.emptyText')}
            />
          ) : (
            <>
              <Table.ScrollContainer minWidth={720}>
                <Table verticalSpacing="xs" highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('files.column.file')}</Table.Th>
                      <Table.Th>{t('files.column.found')}</Table.Th>
                      <Table.Th>{t('files.column.operation')}</Table.Th>
                      <Table.Th>{t('files.column.key')}</Table.Th>
                      <Table.Th>{t('files.column.at')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {files.map((file) => (
                      <Table.Tr key={file.fileid}>
                        <Table.Td>
                          <Group
                            gap="xs"
                            wrap="nowrap"
                            renderRoot={(props) => <Link {...props} to={`/files/${file.fileid}`} />}
                          >
                            {file.picture_bytes !== null && (
                              <Image
                                src={filePictureAddress(file.fileid, 64)}
                                w={48}
                                h={36}
                                fit="cover"
                                radius="sm"
                                alt=""
                                loading="lazy"
                              />
                            )}
                            <Code>{file.fileid.slice(0, 8)}…</Code>
                          </Group>
                        </Table.Td>
                        <Table.Td>
                          <Labels labels={file.summary.labels} />
                        </Table.Td>
                        <Table.Td>{file.operation}</Table.Td>
                        <Table.Td style={{ overflowWrap: 'anywhere' }}>
                          {keyNames.get(file.key_id) ?? file.key_id}
                        </Table.Td>
                        <Table.Td>
                          <Moment at={file.created_at} />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <Pager pager={pager} />
            </>
          )
        }
      </Answered>
    </>
  );
}

const shownLabels = 4;

function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return <Text c="dimmed">–</Text>;
  return (
    <Group gap={4}>
      {labels.slice(0, shownLabels).map((label) => (
        <Badge key={label} variant="light" tt="none" maw={180}>
          {label}
        </Badge>
      ))}
      {labels.length > shownLabels && <Text size="xs">+{labels.length - shownLabels}</Text>}
    </Group>
  );
}

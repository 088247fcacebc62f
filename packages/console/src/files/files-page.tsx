import { Button, Group, Select, TextInput } from '@mantine/core';
import { mdiFileSearch } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataList } from '../kit/data-list.js';
import { Empty } from '../kit/empty.js';
import { PageHead } from '../kit/page-head.js';
import { usePager } from '../kit/pager.js';
import { SearchField, useSearch } from '../kit/search-field.js';
import { useClient } from '../service/client.js';
import { FileTable } from './file-table.js';

const operations = [
  'v1.predict_image',
  'v1.predict_object_detection',
  'v1.face_search',
  'v2.predict',
  'drop.file',
];

const pageLength = 50;

/** Stored analyses, the newest first. */
export function FilesPage() {
  const { t } = useTranslation();
  const client = useClient();
  const [operation, setOperation] = useState<string | null>(null);
  const [day, setDay] = useState('');
  const search = useSearch();
  const filter = {
    ...(operation === null ? {} : { operation }),
    ...(search.wanted === undefined ? {} : { search: search.wanted }),
    // Until the end of that day.
    ...(day === '' ? {} : { to: new Date(new Date(`${day}T00:00:00`).getTime() + 86_400_000) }),
  };
  const isFiltered = operation !== null || search.wanted !== undefined || day !== '';
  const pager = usePager(['files', operation, search.wanted ?? '', day], (cursor, signal) =>
    client.files.page({ ...filter, limit: pageLength, cursor, signal }),
  );
  return (
    <>
      <PageHead title={t('files.title')} text={t('files.text')} />
      <Group mb="md" align="end">
        <SearchField label={t('files.search')} value={search.typed} onChange={search.onType} />
        <Select
          flex="1 1 200px"
          maw={300}
          aria-label={t('files.operation')}
          placeholder={t('files.operation')}
          clearable
          data={operations}
          value={operation}
          onChange={setOperation}
        />
        <TextInput
          type="date"
          flex="1 1 160px"
          maw={200}
          label={t('files.until')}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      </Group>
      <DataList
        list={pager}
        empty={
          <Empty
            icon={mdiFileSearch}
            title={t(isFiltered ? 'files.noneFound' : 'files.emptyTitle')}
            text={t(isFiltered ? 'files.noneFoundText' : 'files.emptyText')}
          >
            {!isFiltered && (
              <Button component={Link} to="/" variant="light">
                {t('shell.pageNames.try')}
              </Button>
            )}
          </Empty>
        }
      >
        {(files) => <FileTable files={files} />}
      </DataList>
    </>
  );
}

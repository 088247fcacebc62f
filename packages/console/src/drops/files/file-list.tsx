import type { Drop } from '@lynceus/client';
import { Button, Drawer, Group, Select } from '@mantine/core';
import { mdiImageMultiple } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { DataList } from '../../kit/data-list.js';
import { Empty } from '../../kit/empty.js';
import { usePager } from '../../kit/pager.js';
import { SearchField, useSearch } from '../../kit/search-field.js';
import { useComeBack } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { FileDetails } from './file-details.js';
import { shownStates } from './file-state.js';
import { FileTable } from './file-table.js';
import { ManyFiles } from './many-files.js';

const pageLength = 50;

/** The files of a drop, updated live, the newest first; search and open file are in the address. */
export function FileList({ drop }: { drop: Drop }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [params, setParams] = useSearchParams();
  const state = shownStates.find((each) => each === params.get('state')) ?? null;
  const search = useSearch();
  const filter = {
    ...(state === null ? {} : { state }),
    ...(search.wanted === undefined ? {} : { search: search.wanted }),
  };
  const pager = usePager(['drop-files', drop.id, 'list', filter], (cursor, signal) =>
    client.dropFiles.page(drop.id, { ...filter, limit: pageLength, cursor, signal }),
  );
  const set = (name: 'state' | 'file', value: string | null) =>
    setParams(
      (old) => {
        const changed = new URLSearchParams(old);
        if (value === null) changed.delete(name);
        else changed.set(name, value);
        return changed;
      },
      { replace: true },
    );
  const open = params.get('file');
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <Group mb="md">
        <SearchField label={t('dropFiles.search')} value={search.typed} onChange={search.onType} />
        <Select
          flex="1 1 160px"
          maw={220}
          aria-label={t('dropFiles.every')}
          placeholder={t('dropFiles.every')}
          clearable
          data={shownStates.map((value) => ({ value, label: t(`dropFiles.state.${value}`) }))}
          value={state}
          onChange={(value) => set('state', value)}
        />
        {mayChange && <ManyFiles drop={drop} />}
      </Group>
      <DataList
        list={pager}
        empty={
          <Empty
            icon={mdiImageMultiple}
            title={t(isFiltered ? 'dropFiles.noneFound' : 'dropFiles.emptyTitle')}
            text={t(isFiltered ? 'dropFiles.noneFoundText' : 'dropFiles.emptyText')}
          >
            {!isFiltered && (
              <Button component={Link} to={`/drops/${drop.id}/connection`} variant="light">
                {t('dropFiles.howToSend')}
              </Button>
            )}
          </Empty>
        }
      >
        {(files) => <FileTable dropId={drop.id} files={files} onOpen={({ id }) => set('file', id)} />}
      </DataList>
      {open !== null && <FileDrawer dropId={drop.id} fileId={open} onClose={() => set('file', null)} />}
    </>
  );
}

/** One file in a drawer beside the list. */
function FileDrawer({ dropId, fileId, onClose }: { dropId: number; fileId: string; onClose: () => void }) {
  useComeBack();
  const { t } = useTranslation();
  const client = useClient();
  const file = useQuery({
    queryKey: ['drop-files', dropId, 'one', fileId],
    queryFn: ({ signal }) => client.dropFiles.read(dropId, fileId, { signal }),
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={
        file.data ? <bdi style={{ overflowWrap: 'anywhere' }}>{file.data.name}</bdi> : t('dropFiles.one')
      }
    >
      <Answered query={file}>
        {(found) => <FileDetails dropId={dropId} file={found} onGone={onClose} />}
      </Answered>
    </Drawer>
  );
}

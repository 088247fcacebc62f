import type { Drop } from '@lynceus/client';
import { Button, Group, Select, Table, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { mdiImageMultiple, mdiMagnify } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { Icon } from '../../kit/icon.js';
import { Pager } from '../../kit/pager.js';
import { usePager } from '../../kit/use-pager.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { FileDrawer } from './file-drawer.js';
import { FileRow } from './file-row.js';
import { shownStates } from './file-state.js';
import { ManyFiles } from './many-files.js';

const pageLength = 50;

/** The files of a drop as they pass, the newest first; what is looked for and looked at stands in the address. */
export function FileList({ drop }: { drop: Drop }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [params, setParams] = useSearchParams();
  const state = shownStates.find((each) => each === params.get('state')) ?? null;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const filter = { ...(state === null ? {} : { state }), ...(search === '' ? {} : { search }) };
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
  const isFiltered = state !== null || search !== '';
  return (
    <>
      <Group mb="md">
        <TextInput
          type="search"
          flex="1 1 200px"
          maw={360}
          aria-label={t('dropFiles.search')}
          placeholder={t('dropFiles.search')}
          leftSection={<Icon path={mdiMagnify} size={18} />}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          flex="0 1 200px"
          aria-label={t('dropFiles.every')}
          placeholder={t('dropFiles.every')}
          clearable
          data={shownStates.map((value) => ({ value, label: t(`dropFiles.state.${value}`) }))}
          value={state}
          onChange={(value) => set('state', value)}
        />
        {mayChange && <ManyFiles drop={drop} />}
      </Group>
      <Answered query={pager.query}>
        {({ data: files }) =>
          files.length === 0 ? (
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
          ) : (
            <>
              <Table.ScrollContainer minWidth={640}>
                <Table verticalSpacing="xs" highlightOnHover layout="fixed">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th w={80}>{t('dropFiles.column.picture')}</Table.Th>
                      <Table.Th>{t('dropFiles.column.name')}</Table.Th>
                      <Table.Th w={120}>{t('dropFiles.column.state')}</Table.Th>
                      <Table.Th>{t('dropFiles.column.keywords')}</Table.Th>
                      <Table.Th w={190}>{t('dropFiles.column.at')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {files.map((file) => (
                      <FileRow
                        key={file.id}
                        dropId={drop.id}
                        file={file}
                        onOpen={() => set('file', file.id)}
                      />
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <Pager pager={pager} />
            </>
          )
        }
      </Answered>
      <FileDrawer dropId={drop.id} fileId={params.get('file')} onClose={() => set('file', null)} />
    </>
  );
}

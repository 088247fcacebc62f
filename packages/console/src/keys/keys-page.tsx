import type { ApiKey } from '@lynceus/client';
import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiKey } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CreateButton, ListPage } from '../kit/data-list.js';
import { usePages } from '../kit/more.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { KeyTable, stateOfKey } from './key-table.js';
import { NewKey } from './new-key.js';

export function KeysPage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [isCreating, creating] = useDisclosure(false);
  const [showsOld, setShowsOld] = useState(false);
  const list = usePages(['keys'], (cursor, signal) => client.keys.page({ cursor, signal }));
  const shown = (all: readonly ApiKey[]) =>
    showsOld ? all : all.filter((key) => stateOfKey(key) === 'good');
  return (
    <>
      <ListPage
        head={{ title: t('keys.title'), text: t('keys.text') }}
        list={list}
        create={mayChange && <CreateButton text={t('keys.create')} onClick={creating.open} />}
        empty={{ icon: mdiKey, title: t('keys.emptyTitle'), text: t('keys.emptyText') }}
      >
        {(all) => (
          <>
            <Switch
              mb="sm"
              label={t('keys.showOld')}
              checked={showsOld}
              onChange={(event) => setShowsOld(event.currentTarget.checked)}
            />
            <KeyTable keys={shown(all)} />
          </>
        )}
      </ListPage>
      {isCreating && <NewKey onClose={creating.close} />}
    </>
  );
}

import type { ApiKey } from '@lynceus/client';
import { Button, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiKey, mdiPlus } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { More, usePages } from '../kit/more.js';
import { PageHead } from '../kit/page-head.js';
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
  const createButton = mayChange && (
    <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={creating.open}>
      {t('keys.create')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('keys.title')} text={t('keys.text')}>
        {list.data?.length !== 0 && createButton}
      </PageHead>
      <Answered query={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={mdiKey} title={t('keys.emptyTitle')} text={t('keys.emptyText')}>
              {createButton}
            </Empty>
          ) : (
            <>
              <Switch
                mb="sm"
                label={t('keys.showOld')}
                checked={showsOld}
                onChange={(event) => setShowsOld(event.currentTarget.checked)}
              />
              <KeyTable keys={shown(all)} />
              <More list={list} />
            </>
          )
        }
      </Answered>
      {isCreating && <NewKey onClose={creating.close} />}
    </>
  );
}

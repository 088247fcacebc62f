import type { Drop } from '@lynceus/client';
import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { showDone } from '../kit/error-text.js';
import { PageHead } from '../kit/page-head.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { Connection, FtpIsOff } from './connection/connection.js';
import { DestinationForm } from './destination/destination-form.js';
import { DropCounts } from './drop-counts.js';
import { DropMenu } from './drop-menu.js';
import { FileList } from './files/file-list.js';
import { WrittenForm } from './written/written-form.js';

const tabs = ['files', 'connection', 'written', 'destination'] as const;
type Tab = (typeof tabs)[number];

/** One drop: its files and its settings. */
export function DropPage() {
  const client = useClient();
  const { id: given = '', tab: wanted } = useParams();
  const id = Number(given);
  const drop = useQuery({
    queryKey: ['drops', 'one', id],
    queryFn: ({ signal }) => client.drops.read(id, { signal }),
  });
  return (
    <Answered query={drop}>
      {(found) => <Shown key={found.id} drop={found} tab={tabs.find((each) => each === wanted) ?? 'files'} />}
    </Answered>
  );
}

function Shown({ drop, tab }: { drop: Drop; tab: Tab }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const [newKey, setNewKey] = useState<string | null>(null);
  const go = (to: string | null) =>
    navigate(to === 'files' ? `/drops/${drop.id}` : `/drops/${drop.id}/${to}`, { replace: true });
  const showNewKey = (key: string) => {
    setNewKey(key);
    go('connection');
  };
  const say = (message: string) => showDone(message);
  return (
    <>
      <PageHead title={drop.name} back={{ to: '/drops', name: t('drops.title') }}>
        {mayChange && <DropMenu drop={drop} onNewKey={showNewKey} />}
      </PageHead>
      <Stack>
        {drop.ftp.port === null && drop.sftp.port === null && tab !== 'connection' && <FtpIsOff />}
        <DropCounts drop={drop} />
        <Tabs value={tab} onChange={go} keepMounted={false}>
          <Tabs.List mb="md">
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`drops.tab.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="files">
            <FileList drop={drop} />
          </Tabs.Panel>
          <Tabs.Panel value="connection">
            <Connection drop={drop} secret={newKey} />
          </Tabs.Panel>
          <Tabs.Panel value="written">
            <WrittenForm drop={drop} submitLabel={t('drops.save')} onSaved={() => say(t('drops.saved'))} />
          </Tabs.Panel>
          <Tabs.Panel value="destination">
            <DestinationForm drop={drop} onSaved={() => say(t('drops.savedDestination'))} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </>
  );
}

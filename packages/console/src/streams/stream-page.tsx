import type { Stream } from '@lynceus/client';
import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { PageHead } from '../kit/page-head.js';
import { useTabInSight } from '../kit/use-tab-in-sight.js';
import { useMayChange } from '../service/current-session.js';
import { LiveTab } from './live/live-tab.js';
import { OffAlert } from './off-alert.js';
import { useStream } from './queries.js';
import { LookTab } from './settings/look-tab.js';
import { RecordingTab } from './settings/recording-tab.js';
import { ScheduleTab } from './settings/schedule-tab.js';
import { SourceTab } from './source/source-tab.js';
import { StreamMenu } from './stream-menu.js';
import { ZonesTab } from './zones/zones-tab.js';

const tabs = ['live', 'look', 'zones', 'schedule', 'recording', 'source'] as const;
type Tab = (typeof tabs)[number];

/** One camera: its live image and last events, and its settings. */
export function StreamPage() {
  const { id: given = '', tab: wanted } = useParams();
  const stream = useStream(Number(given));
  return (
    <Answered query={stream}>
      {(found) => (
        <Shown key={found.id} stream={found} tab={tabs.find((each) => each === wanted) ?? 'live'} />
      )}
    </Answered>
  );
}

function Shown({ stream, tab }: { stream: Stream; tab: Tab }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const list = useTabInSight(tab);
  const go = (to: string | null) =>
    navigate(to === 'live' ? `/streams/${stream.id}` : `/streams/${stream.id}/${to}`, { replace: true });
  return (
    <>
      <PageHead title={stream.name} back={{ to: '/streams', name: t('streams.title') }}>
        <StreamMenu stream={stream} mayChange={mayChange} />
      </PageHead>
      <OffAlert streams={[stream]} />
      <Tabs value={tab} onChange={go} keepMounted={false}>
        <Tabs.List mb="md" ref={list}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`streams.tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="live">
          <LiveTab stream={stream} />
        </Tabs.Panel>
        <Tabs.Panel value="look">
          <LookTab stream={stream} />
        </Tabs.Panel>
        <Tabs.Panel value="zones">
          <ZonesTab stream={stream} />
        </Tabs.Panel>
        <Tabs.Panel value="schedule">
          <ScheduleTab stream={stream} />
        </Tabs.Panel>
        <Tabs.Panel value="recording">
          <RecordingTab stream={stream} />
        </Tabs.Panel>
        <Tabs.Panel value="source">
          <SourceTab stream={stream} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

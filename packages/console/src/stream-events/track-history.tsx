import type { StreamEvent } from '@lynceus/client';
import { Text, Timeline } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Answered } from '../kit/answered.js';
import { Moment } from '../kit/moment.js';
import { More, usePages } from '../kit/more.js';
import { useClient } from '../service/client.js';

/** What happened to an object, the newest first. */
export function TrackHistory({ trackId }: { trackId: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const list = usePages(['stream-events', 'of', trackId], (cursor, signal) =>
    client.streamEvents.page({ trackId, cursor, signal }),
  );
  return (
    <Answered query={list}>
      {(events: readonly StreamEvent[]) =>
        events.length === 0 ? (
          <Text c="dimmed">{t('streamEvents.noHistory')}</Text>
        ) : (
          <>
            <Timeline active={events.length} bulletSize={14} lineWidth={2}>
              {events.map((event) => (
                <Timeline.Item key={event.seq} title={<EventName event={event} />}>
                  <Text size="xs" c="dimmed">
                    <Moment at={event.at} hasSeconds />
                  </Text>
                </Timeline.Item>
              ))}
            </Timeline>
            <More list={list} />
          </>
        )
      }
    </Answered>
  );
}

function EventName({ event: { kind, zone, text, person } }: { event: StreamEvent }) {
  const { t } = useTranslation();
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {t(`streamEvents.kind.${kind}`, { zone: zone ?? '', text: text ?? '', name: person?.name ?? '' })}
    </span>
  );
}

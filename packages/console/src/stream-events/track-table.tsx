import type { StreamTrack } from '@lynceus/client';
import { Badge, Box, Center, Group, Text, UnstyledButton } from '@mantine/core';
import { mdiCctv } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../kit/given-name.js';
import { Icon } from '../kit/icon.js';
import { ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';
import { Thumbnail } from '../kit/thumbnail.js';
import { useFormat } from '../kit/use-format.js';
import { snapshotAddress } from '../service/addresses.js';
import { nameOfTrack, secondsSeen } from './seen-times.js';
import { useStreams } from './use-streams.js';

/** Objects that were followed. A row opens its object, by mouse anywhere and by keyboard at its name. */
export function TrackTable({
  tracks,
  onOpen,
}: {
  tracks: readonly StreamTrack[];
  onOpen: (track: StreamTrack) => void;
}) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const { nameOf } = useStreams();
  return (
    <ListTable
      items={tracks}
      keyOf={({ id }) => id}
      onOpen={onOpen}
      columns={[
        { name: t('streamEvents.column.object'), cell: (track) => <TrackName track={track} /> },
        {
          name: t('streamEvents.column.stream'),
          width: 160,
          cell: ({ stream_id }) => <GivenName name={nameOf(stream_id)} size="sm" />,
        },
        {
          name: t('streamEvents.column.zones'),
          width: 170,
          cell: ({ entered_zones }) => <Zones zones={entered_zones} />,
        },
        {
          name: t('streamEvents.column.at'),
          width: 225,
          cell: ({ started_at }) => <Moment at={started_at} hasSeconds />,
        },
        {
          name: t('streamEvents.column.duration'),
          width: 110,
          cell: (track) =>
            track.ended_at === null ? (
              <Badge variant="light" color="lynx">
                {t('streamEvents.inSight')}
              </Badge>
            ) : (
              duration(secondsSeen(track))
            ),
        },
      ]}
    />
  );
}

function TrackName({ track }: { track: StreamTrack }) {
  const { id, has_snapshot, label, person, texts } = track;
  const more = [...(person ? [label] : []), ...texts].join(' · ');
  return (
    <Group gap="sm" wrap="nowrap">
      <Box w={56} h={56} style={{ borderRadius: 6, overflow: 'hidden', flexShrink: 0 }}>
        {has_snapshot ? (
          <Thumbnail src={snapshotAddress(id, { isCropped: true, maxSide: 160 })} alt="" />
        ) : (
          <Center h="100%" c="dimmed">
            <Icon path={mdiCctv} />
          </Center>
        )}
      </Box>
      <Box miw={0}>
        <UnstyledButton display="block" w="100%" aria-haspopup="dialog">
          <GivenName name={nameOfTrack(track)} size="sm" fw={500} />
        </UnstyledButton>
        {more && <GivenName name={more} size="xs" c="dimmed" />}
      </Box>
    </Group>
  );
}

function Zones({ zones }: { zones: readonly string[] }) {
  if (zones.length === 0) return <Text c="dimmed">–</Text>;
  return (
    <Group gap={4}>
      {zones.map((zone) => (
        <Badge key={zone} variant="default" maw={150} fw={400} tt="none">
          {zone}
        </Badge>
      ))}
    </Group>
  );
}

import type { Drop } from '@lynceus/client';
import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../kit/use-format.js';

const counts = ['receiving', 'waiting', 'failed', 'done_today'] as const;
const states = { receiving: 'receiving', waiting: 'waiting', failed: 'failed', done_today: 'done' } as const;

/** The numbers of files of a drop by state, each a link to them. */
export function DropCounts({ drop }: { drop: Drop }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Group gap="lg">
      {counts.map((name) => {
        const count = drop.files[name];
        const isBad = name === 'failed' && count > 0;
        return (
          <Anchor
            key={name}
            component={Link}
            to={`/drops/${drop.id}?state=${states[name]}`}
            underline="hover"
            c="inherit"
          >
            <Text span display="block" size="lg" fw={700} {...(isBad ? { c: 'red' } : {})} lh={1.2}>
              {number(count)}
            </Text>
            <Text span display="block" size="xs" c="dimmed">
              {t(`drops.count.${name}`)}
            </Text>
          </Anchor>
        );
      })}
    </Group>
  );
}

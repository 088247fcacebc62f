import type { AddedImage } from '@lynceus/client';
import { Group, List, ScrollArea, Stack, Text } from '@mantine/core';
import { mdiAlertCircle, mdiCheckCircle, mdiContentDuplicate } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';

const shown = 200;

/** The results for images that were sent. */
export function Verdicts({ verdicts }: { verdicts: readonly AddedImage[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const of = (outcome: AddedImage['outcome']) => verdicts.filter((one) => one.outcome === outcome);
  const refused = of('refused');
  const near = verdicts.filter((one) => one.outcome === 'added' && one.near_duplicate_of !== null).length;
  const rows = [
    { name: 'added', icon: mdiCheckCircle, count: of('added').length },
    { name: 'duplicate', icon: mdiContentDuplicate, count: of('duplicate').length },
    { name: 'near', icon: mdiContentDuplicate, count: near },
    { name: 'refused', icon: mdiAlertCircle, count: refused.length },
  ] as const;
  return (
    <Stack gap="xs">
      {rows
        .filter(({ count }) => count > 0)
        .map(({ name, icon, count }) => (
          <Group key={name} gap="xs" wrap="nowrap">
            <Icon path={icon} size={18} />
            <Text size="sm">
              {t(`datasets.adding.outcome.${name}`, { count, images: format.number(count) })}
            </Text>
          </Group>
        ))}
      {refused.length > 0 && (
        <ScrollArea.Autosize mah={220} tabIndex={0} aria-label={t('datasets.adding.refused')}>
          <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
            {refused.slice(0, shown).map((one) => (
              <List.Item key={`${one.file} ${verdicts.indexOf(one)}`}>
                <bdi>{one.file}</bdi>: {one.message}
              </List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}

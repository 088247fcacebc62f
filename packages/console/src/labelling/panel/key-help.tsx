import { ActionIcon, Group, Kbd, Popover, Stack, Switch, Table, Text } from '@mantine/core';
import { mdiKeyboard } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';

const rows = [
  { keys: ['1', '9', 'A', 'Z'], does: 'class' },
  { keys: ['0'], does: 'none' },
  { keys: ['→', 'PgDn'], does: 'next' },
  { keys: ['←', 'PgUp'], does: 'previous' },
  { keys: ['End'], does: 'nextUnlabelled' },
  { keys: ['Enter'], does: 'accept' },
  { keys: ['Ins'], does: 'addBox' },
  { keys: ['←', '↑', '↓', '→'], does: 'nudge' },
  { keys: ['Shift', '→'], does: 'nudgeFar' },
  { keys: ['Alt', '→'], does: 'resize' },
  { keys: ['Del'], does: 'delete' },
  { keys: ['Esc'], does: 'release' },
  { keys: ['Ctrl', 'Z'], does: 'undo' },
  { keys: ['+', '−', 'Home'], does: 'zoom' },
] as const;

/** The list of shortcuts, with a switch that turns them off. */
export function KeyHelp({ hasKeys, onKeys }: { hasKeys: boolean; onKeys: (hasKeys: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Popover position="bottom-end" withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={36} aria-label={t('labelling.keys')} title={t('labelling.keys')}>
          <Icon path={mdiKeyboard} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('labelling.keys')}>
        <Stack gap="xs">
          <Switch
            label={t('labelling.useKeys')}
            checked={hasKeys}
            onChange={(event) => onKeys(event.currentTarget.checked)}
          />
          <Table verticalSpacing={3} withRowBorders={false}>
            <Table.Tbody>
              {rows.map(({ keys, does }) => (
                <Table.Tr key={does}>
                  <Table.Td>
                    <Group gap={3} wrap="nowrap">
                      {keys.map((key) => (
                        <Kbd key={key} size="xs">
                          {key}
                        </Kbd>
                      ))}
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">{t(`labelling.does.${does}`)}</Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

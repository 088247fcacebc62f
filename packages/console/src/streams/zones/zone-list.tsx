import { ActionIcon, Group, Paper, Stack, TagsInput, Text, TextInput, UnstyledButton } from '@mantine/core';
import { mdiDelete } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { changeShape, chooseShape, removeShape } from './editor.js';
import type { ShownShape } from './shape-look.js';
import { maxNameLength, type ShapeFault } from './shapes.js';
import type { ZoneEditor } from './use-zone-editor.js';
import styles from './zone-list.module.css';

const maxClasses = 100;

/** The zones and masks by name; the selected one can be renamed and deleted. */
export function ZoneList({
  zones: { editor, edit },
  shown,
  faults,
  labels,
  mayChange,
}: {
  zones: ZoneEditor;
  shown: readonly ShownShape[];
  faults: ReadonlyMap<number, ShapeFault>;
  /** Classes to choose from. */
  labels: readonly string[];
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  if (shown.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('zones.nothing')}
      </Text>
    );
  }
  return (
    <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('zones.list')}>
      {shown.map((shape) => {
        const { key, title, colour, kind } = shape;
        const isChosen = key === editor.chosen;
        const fault = faults.get(key);
        return (
          <Paper
            key={key}
            component="li"
            withBorder
            px="sm"
            py={6}
            className={styles['one'] ?? ''}
            mod={{ chosen: isChosen }}
          >
            <Group gap="xs" wrap="nowrap">
              <UnstyledButton
                className={styles['button'] ?? ''}
                aria-pressed={isChosen}
                onClick={() => edit((now) => chooseShape(now, isChosen ? null : key))}
              >
                <span className={styles['dot']} style={{ background: colour }} aria-hidden="true" />
                <GivenName name={title} size="sm" fw={isChosen ? 600 : 400} />
                {kind === 'zone' && (
                  <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
                    {t('zones.zone')}
                  </Text>
                )}
              </UnstyledButton>
              {mayChange && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('zones.remove', { name: title })}
                  onClick={() => edit((now) => removeShape(now, key), '', 'stage')}
                >
                  <Icon path={mdiDelete} size={18} />
                </ActionIcon>
              )}
            </Group>
            {isChosen && kind === 'zone' && (
              <ZoneFields
                shape={shape}
                fault={fault === 'crossing' ? undefined : fault}
                labels={labels}
                isReadOnly={!mayChange}
                onChange={(change, step) => edit((now) => changeShape(now, key, change, step))}
              />
            )}
            {isChosen && kind === 'mask' && (
              <Text size="xs" c="dimmed">
                {t('zones.maskText')}
              </Text>
            )}
            {fault && (!isChosen || fault === 'crossing') && (
              <Text size="xs" c="red">
                {t(`zones.fault.${fault}`)}
              </Text>
            )}
          </Paper>
        );
      })}
    </Stack>
  );
}

function ZoneFields({
  shape: { key, name, classes },
  fault,
  labels,
  isReadOnly,
  onChange,
}: {
  shape: ShownShape;
  fault: ShapeFault | undefined;
  labels: readonly string[];
  isReadOnly: boolean;
  onChange: (change: { name?: string; classes?: readonly string[] }, step: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" my={6}>
      <TextInput
        size="sm"
        label={t('zones.name')}
        dir="auto"
        required={!isReadOnly}
        maxLength={maxNameLength}
        readOnly={isReadOnly}
        value={name}
        error={fault && t(`zones.fault.${fault}`)}
        data-focus={`name-${key}`}
        onChange={(event) => onChange({ name: event.currentTarget.value }, `name ${key}`)}
      />
      <TagsInput
        size="sm"
        label={t('zones.classes')}
        description={t('zones.classesHint')}
        data={labels}
        maxTags={maxClasses}
        acceptValueOnBlur
        readOnly={isReadOnly}
        value={[...classes]}
        onChange={(chosen) => onChange({ classes: chosen }, null)}
      />
    </Stack>
  );
}

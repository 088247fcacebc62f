import type { CountedDataset, DatasetBox, DatasetImage } from '@lynceus/client';
import {
  ActionIcon,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { mdiDelete } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { ClassDot } from '../../datasets/classes/class-dot.js';
import { Icon } from '../../kit/icon.js';
import { correctBox } from '../stage/geometry.js';
import type { StageLabel } from '../stage/stage.js';
import type { LabelCommands } from '../use-label-commands.js';
import classes from './class-picker.module.css';

const corners = ['x_min', 'y_min', 'x_max', 'y_max'] as const;

/** The list of boxes. Everything that the pointer does can also be done here. */
export function LabelList({
  labels,
  image,
  dataset,
  commands,
  mayChange,
}: {
  labels: readonly StageLabel[];
  image: DatasetImage;
  dataset: CountedDataset;
  commands: LabelCommands;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" role="group" aria-labelledby="boxes">
      <Title order={2} size="h5" id="boxes">
        {t('labelling.boxes', { count: labels.length })}
      </Title>
      {labels.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('labelling.howToDraw')}
        </Text>
      )}
      {labels.map((label, index) =>
        label.box ? (
          <Stack key={label.key} gap={6}>
            <Group gap={4} wrap="nowrap">
              <UnstyledButton
                className={classes['one'] ?? ''}
                style={{ flex: 1, minWidth: 0 }}
                aria-pressed={label.key === commands.chosen}
                onClick={() => commands.choose(label.key === commands.chosen ? null : label.key)}
              >
                <ClassDot index={dataset.classes.findIndex(({ id }) => id === label.classId)} />
                <Text size="sm" truncate="end" flex={1}>
                  {index + 1}. <bdi>{label.name}</bdi>
                </Text>
                <Text size="xs" c="dimmed">
                  {label.box.x_max - label.box.x_min} × {label.box.y_max - label.box.y_min}
                </Text>
              </UnstyledButton>
              {mayChange && (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t('labelling.deleteBox', { number: index + 1, name: label.name })}
                  onClick={() => commands.remove(label.key)}
                >
                  <Icon path={mdiDelete} size={16} />
                </ActionIcon>
              )}
            </Group>
            {label.key === commands.chosen && mayChange && (
              <BoxFields label={label} box={label.box} image={image} dataset={dataset} commands={commands} />
            )}
          </Stack>
        ) : null,
      )}
    </Stack>
  );
}

function BoxFields({
  label,
  box,
  image,
  dataset,
  commands,
}: {
  label: StageLabel;
  box: DatasetBox;
  image: DatasetImage;
  dataset: CountedDataset;
  commands: LabelCommands;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" pl="sm">
      <Select
        size="xs"
        label={t('labelling.class')}
        searchable
        limit={50}
        allowDeselect={false}
        data={dataset.classes.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(label.classId)}
        onChange={(value) => value && commands.setClassOf(label.key, Number(value))}
      />
      <SimpleGrid cols={4} spacing={6}>
        {corners.map((corner) => (
          <NumberInput
            // A typed value is corrected when the field loses the focus; a box that is moved updates the field.
            key={`${corner} ${box[corner]}`}
            size="xs"
            label={t(`labelling.corner.${corner}`)}
            hideControls
            allowDecimal={false}
            defaultValue={box[corner]}
            onBlur={(event) => {
              const value = Number(event.currentTarget.value);
              if (event.currentTarget.value === '' || value === box[corner]) return;
              commands.changeBox(label.key, correctBox({ ...box, [corner]: value }, image.image));
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur();
            }}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

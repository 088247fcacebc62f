import type { StreamClassFilter } from '@lynceus/client';
import { Box, Group, NumberInput, Paper, Slider, Stack, TagsInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import { useMayChange } from '../../service/current-session.js';
import { withClass, withLabels } from './look-values.js';

const maxClasses = 200;
const maxLabelLength = 100;

/** The classes that are followed, each with its minimum score and size; or all of them with one minimum score. */
export function ClassesField({
  classes,
  minScore,
  labels,
  onChange,
}: {
  classes: readonly StreamClassFilter[];
  /** Of classes that have none of their own. */
  minScore: number;
  /** To choose from; others can be typed. */
  labels: readonly string[];
  onChange: (changed: { classes?: readonly StreamClassFilter[]; min_score?: number }) => void;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <TagsInput
        label={t('streamSettings.classes')}
        description={t('streamSettings.classesHint')}
        {...(classes.length === 0 ? { placeholder: t('streamSettings.classesAll') } : {})}
        data={labels}
        maxTags={maxClasses}
        maxLength={maxLabelLength}
        acceptValueOnBlur
        value={classes.map(({ label }) => label)}
        onChange={(chosen) => onChange({ classes: withLabels(classes, chosen, minScore) })}
      />
      {classes.length === 0 ? (
        <ScoreRow
          name={t('streamSettings.minScore')}
          label={t('streamSettings.minScore')}
          value={minScore}
          onChange={(min_score) => onChange({ min_score })}
        />
      ) : (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {classes.map((each) => (
            <ClassRow
              key={each.label}
              filter={each}
              onChange={(change) => onChange({ classes: withClass(classes, each.label, change) })}
            />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function ClassRow({
  filter: { label, min_score, min_area },
  onChange,
}: {
  filter: StreamClassFilter;
  onChange: (change: Partial<StreamClassFilter>) => void;
}) {
  const { t } = useTranslation();
  return (
    <Paper component="li" withBorder px="sm" py="xs">
      <Group gap="lg" align="end">
        <Box flex="1 1 200px" miw={0} pb={6}>
          <ScoreRow
            name={label}
            label={t('streamSettings.minScoreOf', { label })}
            value={min_score}
            onChange={(value) => onChange({ min_score: value })}
          />
        </Box>
        <NumberInput
          w={150}
          size="xs"
          label={t('streamSettings.minAreaShort')}
          aria-label={t('streamSettings.minArea', { label })}
          suffix={` ${t('streamSettings.ofImage')}`}
          min={0}
          max={100}
          step={0.5}
          decimalScale={2}
          value={toPercent(min_area)}
          onChange={(value) => {
            if (typeof value === 'number') onChange({ min_area: value / 100 });
          }}
        />
      </Group>
    </Paper>
  );
}

function ScoreRow({
  name,
  label,
  value,
  onChange,
}: {
  name: string;
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  // A slider is no control of HTML: the fieldset around it does not disable it.
  const mayChange = useMayChange();
  return (
    <Stack gap={2} miw={0}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" truncate="end" title={name}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm">{t('streamSettings.from', { percent: percent(value, 0) })}</Text>
      </Group>
      <Slider
        disabled={!mayChange}
        min={0}
        max={1}
        step={0.05}
        label={null}
        value={value}
        thumbLabel={label}
        onChange={onChange}
      />
    </Stack>
  );
}

/** Without digits that only computing made. */
function toPercent(fraction: number): number {
  return Math.round(fraction * 10_000) / 100;
}

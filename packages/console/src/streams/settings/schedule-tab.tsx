import limits from 'api-limits:StreamSettingsInput';
import type { Stream, StreamSettings } from '@lynceus/client';
import { ActionIcon, Button, Chip, Group, Input, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { mdiClose, mdiPlus } from '@mdi/js';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { findLimits } from '../../kit/field-limits.js';
import { Icon } from '../../kit/icon.js';
import {
  daysFromMonday,
  endsNextDay,
  faultOfHours,
  type Hours,
  nameOfDay,
  ownTimeZone,
  timeZones,
  usualHours,
} from './hours.js';
import { SettingsForm } from './settings-form.js';

const { maxItems: maxHours = Infinity } = findLimits(limits, 'schedule');

type Values = Pick<StreamSettings, 'schedule' | 'time_zone'>;
type ScheduleForm = UseFormReturnType<Values>;

/** When a stream runs. */
export function ScheduleTab({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const validate = ({ schedule }: Values) =>
    Object.fromEntries(
      schedule.map((hours, index) => {
        const fault = faultOfHours(hours);
        return [`schedule.${index}`, fault && t(`streamSettings.schedule.${fault}`)];
      }),
    );
  return (
    <SettingsForm
      stream={stream}
      valuesOf={({ schedule, time_zone }): Values => ({ schedule, time_zone })}
      validate={validate}
    >
      {(form) => <Fields form={form} />}
    </SettingsForm>
  );
}

function Fields({ form }: { form: ScheduleForm }) {
  const { t } = useTranslation();
  const { schedule, time_zone } = form.values;
  const add = () =>
    form.setValues({
      schedule: [...schedule, usualHours],
      // The first times are likely meant as the clock on the wall has them.
      ...(schedule.length === 0 && time_zone === 'UTC' ? { time_zone: ownTimeZone() } : {}),
    });
  return (
    <>
      <Text size="sm">
        {t('streamSettings.schedule.text')} {schedule.length === 0 && t('streamSettings.schedule.always')}
      </Text>
      {schedule.map((hours, index) => (
        <HoursFields
          // biome-ignore lint/suspicious/noArrayIndexKey: times have nothing else to distinguish them
          key={index}
          number={index + 1}
          hours={hours}
          error={form.errors[`schedule.${index}`]}
          onChange={(changed) => {
            form.clearFieldError(`schedule.${index}`);
            form.setFieldValue('schedule', schedule.with(index, changed));
          }}
          onRemove={() => {
            form.clearErrors();
            form.setFieldValue('schedule', schedule.toSpliced(index, 1));
          }}
        />
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<Icon path={mdiPlus} size={16} />}
        disabled={schedule.length >= maxHours}
        onClick={add}
      >
        {t('streamSettings.schedule.add')}
      </Button>
      {schedule.length > 0 && (
        <Select
          maw={340}
          label={t('streamSettings.schedule.zone')}
          description={t('streamSettings.schedule.zoneHint')}
          allowDeselect={false}
          searchable
          limit={200}
          data={timeZones(time_zone)}
          {...form.getInputProps('time_zone')}
        />
      )}
    </>
  );
}

function HoursFields({
  number,
  hours,
  error,
  onChange,
  onRemove,
}: {
  number: number;
  hours: Hours;
  error: ReactNode;
  onChange: (hours: Hours) => void;
  onRemove: () => void;
}) {
  const { t, i18n } = useTranslation();
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('streamSettings.schedule.group', { number })}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
          <Chip.Group
            multiple
            value={hours.days.map(String)}
            onChange={(days) => onChange({ ...hours, days: days.map(Number).toSorted((a, b) => a - b) })}
          >
            <Group gap={6} role="group" aria-label={t('streamSettings.schedule.days', { number })}>
              {daysFromMonday.map((day) => (
                <Chip
                  key={day}
                  value={String(day)}
                  size="xs"
                  aria-label={nameOfDay(day, i18n.language, 'long')}
                >
                  {nameOfDay(day, i18n.language, 'short')}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('streamSettings.schedule.remove')}
            onClick={onRemove}
          >
            <Icon path={mdiClose} size={18} />
          </ActionIcon>
        </Group>
        <Group gap="sm" align="end">
          <TextInput
            type="time"
            label={t('streamSettings.schedule.from')}
            value={hours.from}
            onChange={(event) => onChange({ ...hours, from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label={t('streamSettings.schedule.to')}
            value={hours.to}
            onChange={(event) => onChange({ ...hours, to: event.currentTarget.value })}
          />
          {endsNextDay(hours) && (
            <Text size="sm" c="dimmed" pb={8}>
              {t('streamSettings.schedule.nextDay')}
            </Text>
          )}
        </Group>
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
    </Paper>
  );
}

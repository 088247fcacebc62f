import { Paper, Select, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../service/client.js';

/** As many as one page of the service has. */
const maxPerceptions = 100;
const anyPerception = 'any';

/** Whether people are named, and by which perception. */
export function NamesField({
  isOn,
  perceptionId,
  onChange,
}: {
  isOn: boolean;
  /** Null: all that name faces in general recognition. */
  perceptionId: number | null;
  onChange: (changed: { names_people?: boolean; perception_id?: number | null }) => void;
}) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="sm">
      <Stack gap="sm">
        <Switch
          label={t('streamSettings.names')}
          description={t('streamSettings.namesHint')}
          checked={isOn}
          onChange={(event) => onChange({ names_people: event.currentTarget.checked })}
        />
        {isOn && (
          <PerceptionSelect chosen={perceptionId} onChoose={(perception_id) => onChange({ perception_id })} />
        )}
      </Stack>
    </Paper>
  );
}

function PerceptionSelect({
  chosen,
  onChoose,
}: {
  chosen: number | null;
  onChoose: (id: number | null) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const { data: perceptions = [] } = useQuery({
    queryKey: ['perceptions', 'first'],
    queryFn: async ({ signal }) => (await client.perceptions.page({ limit: maxPerceptions, signal })).data,
  });
  const items = perceptions.map(({ model_id, name }) => ({
    value: String(model_id),
    label: `${name} (${model_id})`,
  }));
  const isKnown = chosen === null || items.some(({ value }) => value === String(chosen));
  return (
    <Select
      label={t('streamSettings.perception')}
      description={t('streamSettings.perceptionHint')}
      allowDeselect={false}
      searchable
      data={[
        { value: anyPerception, label: t('streamSettings.anyPerception') },
        ...(isKnown ? [] : [{ value: String(chosen), label: String(chosen) }]),
        ...items,
      ]}
      value={chosen === null ? anyPerception : String(chosen)}
      onChange={(next) => onChoose(next === null || next === anyPerception ? null : Number(next))}
    />
  );
}

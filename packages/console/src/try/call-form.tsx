import { Chip, Group, Input, NativeSelect, Slider, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usableBuiltIn, useBuiltInModels, useOwnModels } from '../models/known-models.js';
import { allParts, callOf, defaultCall, type PredictCall } from '../models/predict-call.js';

const general = 'general';

/** The form of a call: general recognition or one model, and its options. */
export function CallForm({ call, onChange }: { call: PredictCall; onChange: (call: PredictCall) => void }) {
  const { t } = useTranslation();
  const own = useOwnModels();
  const builtIn = useBuiltInModels();
  const groups = [
    { group: t('tryIt.ownModels'), models: (own.data ?? []).filter(({ version }) => version !== null) },
    { group: t('tryIt.builtIn'), models: usableBuiltIn(builtIn.data ?? []) },
  ].filter(({ models }) => models.length > 0);
  const choose = (id: string) => {
    const model = groups.flatMap(({ models }) => models).find(({ uid }) => uid === id);
    onChange(model ? callOf(model.task, model.uid) : defaultCall);
  };
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('tryIt.ask')}
        value={call.kind === 'general' ? general : call.modelId}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: general, label: t('tryIt.general') },
          ...groups.map(({ group, models }) => ({
            group,
            items: models.map(({ uid, name }) => ({ value: uid, label: name })),
          })),
        ]}
      />
      {call.kind === 'general' && (
        <Input.Wrapper label={t('tryIt.lookFor')} labelElement="div">
          <Chip.Group
            multiple
            value={[...call.parts]}
            onChange={(parts) =>
              parts.length > 0 &&
              onChange({ ...call, parts: allParts.filter((part) => parts.includes(part)) })
            }
          >
            <Group gap={6} mt={4}>
              {allParts.map((part) => (
                <Chip key={part} value={part} size="xs">
                  {t(`tryIt.parts.${part}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
      {call.kind === 'detect' && (
        <Input.Wrapper label={t('tryIt.threshold')} labelElement="div">
          <Slider
            key={call.modelId}
            mt={4}
            mb="md"
            min={0.05}
            max={0.95}
            step={0.05}
            defaultValue={call.confThresh}
            label={(value) => value.toFixed(2)}
            thumbLabel={t('tryIt.threshold')}
            onChangeEnd={(confThresh) => onChange({ ...call, confThresh })}
          />
        </Input.Wrapper>
      )}
    </Stack>
  );
}

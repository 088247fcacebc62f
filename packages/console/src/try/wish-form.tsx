import { Chip, Group, Input, NativeSelect, Slider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usableBuiltIn, useBuiltInModels } from '../models/built-in.js';
import { allParts, firstWish, type Wish, wishOf } from '../models/wish.js';
import { useClient } from '../service/client.js';

const general = 'general';

/** The choice of a call: general recognition or one model, and what to look for. */
export function WishForm({ wish, onChange }: { wish: Wish; onChange: (wish: Wish) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const own = useQuery({
    queryKey: ['models', 'usable'],
    queryFn: async ({ signal }) =>
      (await client.models.page({ limit: 100, signal })).data.filter(({ version }) => version !== null),
  });
  const builtIn = useBuiltInModels();
  const groups = [
    { group: t('tryIt.ownModels'), models: own.data ?? [] },
    { group: t('tryIt.builtIn'), models: usableBuiltIn(builtIn.data ?? []) },
  ].filter(({ models }) => models.length > 0);
  const choose = (id: string) => {
    const model = groups.flatMap(({ models }) => models).find(({ uid }) => uid === id);
    onChange(model ? wishOf(model.task, model.uid) : firstWish);
  };
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('tryIt.ask')}
        value={wish.kind === 'general' ? general : wish.modelId}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: general, label: t('tryIt.general') },
          ...groups.map(({ group, models }) => ({
            group,
            items: models.map(({ uid, name }) => ({ value: uid, label: name })),
          })),
        ]}
      />
      {wish.kind === 'general' && (
        <Input.Wrapper label={t('tryIt.lookFor')} labelElement="div">
          <Chip.Group
            multiple
            value={[...wish.parts]}
            onChange={(parts) =>
              parts.length > 0 &&
              onChange({ ...wish, parts: allParts.filter((part) => parts.includes(part)) })
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
      {wish.kind === 'detect' && (
        <Input.Wrapper label={t('tryIt.threshold')} labelElement="div">
          <Slider
            key={wish.modelId}
            mt={4}
            mb="md"
            min={0.05}
            max={0.95}
            step={0.05}
            defaultValue={wish.confThresh}
            label={(value) => value.toFixed(2)}
            thumbLabel={t('tryIt.threshold')}
            onChangeEnd={(confThresh) => onChange({ ...wish, confThresh })}
          />
        </Input.Wrapper>
      )}
    </Stack>
  );
}

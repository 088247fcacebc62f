import type { DropKeywordSettings, DropKeywordSource } from '@lynceus/client';
import { ActionIcon, Group, Input, Paper, Slider, Stack, Switch, Text } from '@mantine/core';
import { mdiArrowUp } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';

type Chosen = Pick<DropKeywordSettings, 'sources' | 'min_confidence'>;

/** The sources of keywords, their order and their minimum scores. */
export function SourcesField({
  sources,
  minConfidence,
  onChange,
}: {
  sources: readonly DropKeywordSource[];
  minConfidence: DropKeywordSettings['min_confidence'];
  onChange: (changed: Partial<Chosen>) => void;
}) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return (
    <Input.Wrapper
      label={t('drops.written.sources')}
      description={t('drops.written.sourcesHint')}
      labelElement="div"
    >
      <Stack gap="xs" mt="xs" role="group" aria-label={t('drops.written.sources')}>
        {orderedSources(sources).map((source) => {
          const isOn = sources.includes(source);
          const name = t(`drops.written.source.${source}`);
          return (
            <Paper key={source} withBorder px="sm" py="xs">
              <Group gap="sm" justify="space-between">
                <Switch
                  flex="1 1 220px"
                  label={name}
                  description={t(`drops.written.sourceHint.${source}`)}
                  checked={isOn}
                  onChange={(event) =>
                    onChange({ sources: switchSource(sources, source, event.currentTarget.checked) })
                  }
                />
                <Group gap="sm" wrap="nowrap" flex="1 1 240px">
                  <Slider
                    flex={1}
                    min={0}
                    max={1}
                    step={0.05}
                    label={null}
                    disabled={!isOn}
                    value={minConfidence[source]}
                    thumbLabel={t('drops.written.confidence', { source: name })}
                    onChange={(value) => onChange({ min_confidence: { ...minConfidence, [source]: value } })}
                  />
                  <Text size="sm" w={64} ta="end" {...(isOn ? {} : { c: 'dimmed' })}>
                    {t('drops.written.from', { percent: percent(minConfidence[source], 0) })}
                  </Text>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('drops.written.raise', { source: name })}
                    disabled={sources.indexOf(source) < 1}
                    onClick={() => onChange({ sources: raiseSource(sources, source) })}
                  >
                    <Icon path={mdiArrowUp} size={18} />
                  </ActionIcon>
                </Group>
              </Group>
            </Paper>
          );
        })}
      </Stack>
    </Input.Wrapper>
  );
}

/** All sources, in their default order. */
const allSources: readonly DropKeywordSource[] = ['names', 'objects', 'classes', 'texts', 'faces'];

/** The used sources in their order, then the others. */
export function orderedSources(used: readonly DropKeywordSource[]): readonly DropKeywordSource[] {
  return [...used, ...allSources.filter((source) => !used.includes(source))];
}

export function switchSource(
  used: readonly DropKeywordSource[],
  source: DropKeywordSource,
  isOn: boolean,
): readonly DropKeywordSource[] {
  const others = used.filter((each) => each !== source);
  return isOn ? [...others, source] : others;
}

/** Moves it up by one. */
export function raiseSource(
  used: readonly DropKeywordSource[],
  source: DropKeywordSource,
): readonly DropKeywordSource[] {
  const index = used.indexOf(source);
  if (index < 1) return used;
  return [...used.slice(0, index - 1), source, ...used.slice(index - 1, index), ...used.slice(index + 1)];
}

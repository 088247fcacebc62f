import type { CountedDataset } from '@lynceus/client';
import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Kbd,
  Loader,
  Select,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { mdiAutoFix, mdiCheck, mdiClose, mdiPlus } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ClassDot } from '../../datasets/classes/class-dot.js';
import { useErrorText } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import type { LabelCommands } from '../use-label-commands.js';
import type { SuggesterState } from '../use-suggester.js';
import classes from './class-picker.module.css';

const othersShown = 6;

/** Suggestions of a model: to accept, to reject, or to accept and correct. */
export function SuggestionPanel({
  dataset,
  suggester,
  commands,
  mayChange,
}: {
  dataset: CountedDataset;
  suggester: SuggesterState;
  commands: LabelCommands;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const errorText = useErrorText();
  const { open, query, models } = suggester;
  const indexOf = (classId: number) => dataset.classes.findIndex(({ id }) => id === classId);
  const titles = [...new Set(suggester.others.map(({ title }) => title))].slice(0, othersShown);
  if (!mayChange) return null;
  return (
    <Stack gap="xs">
      <Select
        label={t('labelling.suggestions')}
        leftSection={query.isFetching ? <Loader size={14} /> : <Icon path={mdiAutoFix} size={16} />}
        allowDeselect={false}
        data={[
          { value: 'none', label: t('labelling.noSuggestions') },
          { value: 'built-in', label: t('labelling.builtIn') },
          ...models.map(({ uid, name }) => ({ value: uid, label: name })),
        ]}
        value={suggester.suggester}
        onChange={(value) => value && suggester.setSuggester(value)}
      />
      {query.error && (
        <Text size="sm" c="red" role="alert">
          {errorText(query.error)}
        </Text>
      )}
      {query.isSuccess && suggester.suggester !== 'none' && open.length === 0 && titles.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('labelling.nothingSuggested')}
        </Text>
      )}
      {open.length > 0 && (
        <Button
          size="xs"
          variant="light"
          leftSection={<Icon path={mdiCheck} size={16} />}
          rightSection={<Kbd size="xs">{t('labelling.enter')}</Kbd>}
          onClick={() => commands.accept(open)}
        >
          {t('labelling.acceptAll', { count: open.length })}
        </Button>
      )}
      {open.map((suggestion) => {
        const index = indexOf(suggestion.classId);
        const name = dataset.classes[index]?.name ?? '?';
        return (
          <Group key={suggestion.key} gap={4} wrap="nowrap">
            <UnstyledButton
              className={classes['one'] ?? ''}
              style={{ flex: 1, minWidth: 0, borderStyle: 'dashed' }}
              aria-label={t('labelling.acceptOne', { name })}
              onClick={() => commands.accept([suggestion])}
            >
              <ClassDot index={index} />
              <Text size="sm" flex={1} truncate="end">
                <bdi>{name}</bdi>
              </Text>
              <Text size="xs" c="dimmed">
                {format.percent(suggestion.score, 0)}
              </Text>
            </UnstyledButton>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('labelling.refuse', { name })}
              onClick={() => commands.refuse(suggestion.key)}
            >
              <Icon path={mdiClose} size={16} />
            </ActionIcon>
          </Group>
        );
      })}
      {titles.length > 0 && <Others dataset={dataset} titles={titles} />}
    </Stack>
  );
}

/** Findings of the model for which the dataset has no class. */
function Others({ dataset, titles }: { dataset: CountedDataset; titles: readonly string[] }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const create = useAction({
    mutationFn: (name: string) => client.datasetClasses.create(dataset.id, { name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['datasets', dataset.id] }),
  });
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {t('labelling.alsoSeen')}
      </Text>
      <Group gap={6}>
        {titles.map((title) => (
          <Badge
            key={title}
            component="button"
            variant="default"
            style={{ cursor: 'pointer' }}
            leftSection={<Icon path={mdiPlus} size={12} />}
            aria-label={t('labelling.addSeen', { name: title })}
            onClick={() => create.mutate(title)}
          >
            {title}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

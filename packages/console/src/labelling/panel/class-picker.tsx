import type { CountedDataset } from '@lynceus/client';
import { ActionIcon, Group, Kbd, Stack, Switch, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { mdiCheck, mdiPlus } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClassDot } from '../../datasets/classes/class-dot.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { classKeys } from '../commands.js';
import type { DraftLabel } from '../drafts/draft.js';
import type { LabelCommands } from '../use-label-commands.js';
import classes from './class-picker.module.css';

const shownClasses = 200;

/** The classes with their shortcut keys: for the image, or for the next and the selected box. */
export function ClassPicker({
  dataset,
  labels,
  commands,
  mayChange,
}: {
  dataset: CountedDataset;
  labels: readonly DraftLabel[] | null;
  commands: LabelCommands;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const hasBoxes = dataset.task === 'object_detection';
  const chosen = labels?.find(({ key }) => key === commands.chosen);
  const isOn = (id: number) =>
    hasBoxes
      ? (chosen?.classId ?? commands.activeClass?.id) === id
      : (labels?.some(({ classId }) => classId === id) ?? false);
  const titleOf = () => {
    if (!hasBoxes) return 'whatShows';
    if (commands.unnamed) return 'needsClass';
    return chosen ? 'classOfBox' : 'classToDraw';
  };
  const word = search.trim().toLowerCase();
  const found = dataset.classes
    .map((one, index) => ({ ...one, index }))
    .filter(({ name }) => name.toLowerCase().includes(word));
  return (
    <Stack gap="xs" role="group" aria-labelledby="classes">
      <Title order={2} size="h5" id="classes">
        {t(`labelling.${titleOf()}`)}
      </Title>
      <ClassSearch
        dataset={dataset}
        search={search}
        onSearch={setSearch}
        isKnown={dataset.classes.some(({ name }) => name.toLowerCase() === word)}
        isWanted={commands.unnamed !== null}
        mayChange={mayChange}
        onCreated={commands.pickClass}
      />
      <div className={classes['list']}>
        <Stack gap={2}>
          {found.slice(0, shownClasses).map(({ id, name, index }) => (
            <UnstyledButton
              key={id}
              className={classes['one'] ?? ''}
              aria-pressed={isOn(id)}
              disabled={!mayChange}
              onClick={() => commands.pickClass(id)}
            >
              <ClassDot index={index} />
              <Text size="sm" flex={1} truncate="end" title={name}>
                <bdi>{name}</bdi>
              </Text>
              {isOn(id) && <Icon path={mdiCheck} size={16} />}
              {index < classKeys.length && <Kbd size="xs">{classKeys[index]?.toUpperCase()}</Kbd>}
            </UnstyledButton>
          ))}
          <UnstyledButton
            className={classes['one'] ?? ''}
            aria-pressed={labels?.length === 0}
            disabled={!mayChange}
            onClick={() => commands.run({ kind: 'none' })}
          >
            <Text size="sm" flex={1} c="dimmed">
              {t('labelling.none')}
            </Text>
            {labels?.length === 0 && <Icon path={mdiCheck} size={16} />}
            <Kbd size="xs">0</Kbd>
          </UnstyledButton>
        </Stack>
      </div>
      {found.length > shownClasses && (
        <Text size="xs" c="dimmed">
          {t('labelling.moreClasses', { count: found.length - shownClasses })}
        </Text>
      )}
      {commands.isOnlyOne && (
        <Switch
          size="sm"
          label={t('labelling.continues')}
          checked={commands.continues}
          onChange={(event) => commands.setContinues(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

/** Finds a class, or creates one if none has the name. */
function ClassSearch({
  dataset,
  search,
  onSearch,
  isKnown,
  isWanted,
  mayChange,
  onCreated,
}: {
  dataset: CountedDataset;
  search: string;
  onSearch: (text: string) => void;
  isKnown: boolean;
  /** A drawn box waits for its class. */
  isWanted: boolean;
  mayChange: boolean;
  onCreated: (id: number) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const name = search.trim();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isWanted) input.current?.focus();
  }, [isWanted]);
  const create = useAction({
    mutationFn: () => client.datasetClasses.create(dataset.id, { name }),
    onSuccess: async ({ id }) => {
      onSearch('');
      await queries.invalidateQueries({ queryKey: ['datasets', dataset.id] });
      onCreated(id);
    },
  });
  const canCreate = mayChange && name !== '' && !isKnown;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canCreate) create.mutate();
        else {
          const known = dataset.classes.find((one) => one.name.toLowerCase() === name.toLowerCase());
          if (known) onCreated(known.id);
          onSearch('');
        }
        // Keys are shortcuts again.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          ref={input}
          size="sm"
          flex={1}
          aria-label={t('labelling.findClass')}
          placeholder={t(dataset.classes.length === 0 ? 'labelling.firstClass' : 'labelling.findClass')}
          maxLength={200}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
        <ActionIcon
          type="submit"
          size={36}
          variant="light"
          disabled={!canCreate}
          loading={create.isPending}
          aria-label={t('labelling.createClass')}
          title={t('labelling.createClass')}
        >
          <Icon path={mdiPlus} />
        </ActionIcon>
      </Group>
    </form>
  );
}

import type { CountedDataset, CountedDatasetClass, DatasetClass } from '@lynceus/client';
import { ActionIcon, Button, Menu, Select, Stack, Text } from '@mantine/core';
import { mdiCallMerge, mdiDelete, mdiDotsVertical, mdiPencil } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { NameWindow } from '../../kit/name-window.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useRenewDataset } from '../queries.js';

/** The menu of a class. */
export function ClassMenu({ dataset, one }: { dataset: CountedDataset; one: CountedDatasetClass }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const confirm = useConfirm();
  const [open, setOpen] = useState<'rename' | 'merge' | null>(null);
  const close = () => setOpen(null);
  const onDone = () => {
    close();
    renew();
  };
  const remove = useAction({
    mutationFn: () => client.datasetClasses.remove(dataset.id, one.id, { force: true }),
    onSuccess: onDone,
  });
  const askToRemove = () =>
    confirm({
      title: t('datasets.classes.removeTitle', { name: one.name }),
      text: t('datasets.classes.removeText', {
        count: one.images,
        images: format.number(one.images),
      }),
      yes: t('datasets.classes.remove'),
      onYes: () => remove.mutate(),
    });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('datasets.classes.menu', { name: one.name })}
          >
            <Icon path={mdiDotsVertical} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon path={mdiPencil} size={16} />} onClick={() => setOpen('rename')}>
            {t('datasets.classes.rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon path={mdiCallMerge} size={16} />}
            onClick={() => setOpen('merge')}
            disabled={dataset.classes.length < 2}
          >
            {t('datasets.classes.merge')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Icon path={mdiDelete} size={16} />} onClick={askToRemove}>
            {t('datasets.classes.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && (
        <NameWindow
          title={t('datasets.classes.rename')}
          label={t('datasets.classes.name')}
          name={one.name}
          save={(name) => client.datasetClasses.rename(dataset.id, one.id, { name })}
          onSaved={renew}
          onClose={close}
        />
      )}
      {open === 'merge' && <MergeClass dataset={dataset} one={one} onDone={onDone} onClose={close} />}
    </>
  );
}

/** Merges two classes. */
function MergeClass({
  dataset,
  one,
  onDone,
  onClose,
}: {
  dataset: CountedDataset;
  one: DatasetClass;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const [into, setInto] = useState<string | null>(null);
  const merge = useAction({
    mutationFn: (id: number) => client.datasetClasses.merge(dataset.id, one.id, { into: id }),
    onSuccess: onDone,
  });
  return (
    <Window onClose={onClose} title={t('datasets.classes.mergeTitle', { name: one.name })}>
      <Stack>
        <Text size="sm">{t('datasets.classes.mergeText', { name: one.name })}</Text>
        <Select
          label={t('datasets.classes.into')}
          searchable
          limit={50}
          data={dataset.classes
            .filter(({ id }) => id !== one.id)
            .map(({ id, name }) => ({ value: String(id), label: name }))}
          value={into}
          onChange={setInto}
        />
        <Button
          color="red"
          disabled={into === null}
          loading={merge.isPending}
          onClick={() => merge.mutate(Number(into))}
        >
          {t('datasets.classes.mergeSubmit')}
        </Button>
      </Stack>
    </Window>
  );
}

import type { CountedDataset, CountedDatasetClass } from '@lynceus/client';
import { ActionIcon, Badge, Button, Group, Menu, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiCallMerge, mdiDelete, mdiDotsVertical, mdiPencil, mdiPlus } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { NameWindow } from '../../kit/name-window.js';
import { useShowError } from '../../kit/tell-error.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewDataset } from '../queries.js';
import { ClassDot } from './class-dot.js';
import { MergeClass } from './merge-class.js';

const fewPictures = 5;

/** The classes of a dataset with what shows them. */
export function ClassList({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayChange = useMayChange();
  const hasBoxes = dataset.task === 'object_detection';
  return (
    <Stack>
      {mayChange && <NewClass dataset={dataset} />}
      {dataset.classes.length === 0 ? (
        <Text c="dimmed">{t('datasets.classes.none')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={420}>
          <Table verticalSpacing="xs" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('datasets.classes.name')}</Table.Th>
                <Table.Th ta="end">{t('datasets.classes.pictures')}</Table.Th>
                {hasBoxes && <Table.Th ta="end">{t('datasets.classes.boxes')}</Table.Th>}
                <Table.Th ta="end">{t('datasets.classes.heldOut')}</Table.Th>
                <Table.Th aria-label={t('datasets.classes.acts')} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {dataset.classes.map((one, index) => (
                <Table.Tr key={one.id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Group gap="xs" wrap="nowrap">
                      <ClassDot index={index} />
                      <Text
                        component={Link}
                        to={`/datasets/${dataset.id}?class=${one.id}`}
                        size="sm"
                        fw={500}
                        c="var(--mantine-color-text)"
                      >
                        <bdi>{one.name}</bdi>
                      </Text>
                      {one.pictures < fewPictures && (
                        <Badge variant="default" style={{ flexShrink: 0 }}>
                          {t('datasets.classes.few')}
                        </Badge>
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td ta="end">{format.number(one.pictures)}</Table.Td>
                  {hasBoxes && <Table.Td ta="end">{format.number(one.labels)}</Table.Td>}
                  <Table.Td ta="end">{format.number(one.held_out)}</Table.Td>
                  <Table.Td w={48}>{mayChange && <ClassMenu dataset={dataset} one={one} />}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}

function NewClass({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const showError = useShowError();
  const form = useForm({ initialValues: { name: '' } });
  const add = useMutation({
    mutationFn: (name: string) => client.datasetClasses.create(dataset.id, { name }),
    onSuccess: () => {
      form.reset();
      renew();
    },
    onError: showError,
  });
  return (
    <form onSubmit={form.onSubmit(({ name }) => add.mutate(name))}>
      <Group align="end" gap="xs">
        <TextInput
          label={t('datasets.classes.new')}
          required
          withAsterisk={false}
          maxLength={200}
          flex={1}
          maw={360}
          {...form.getInputProps('name')}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<Icon path={mdiPlus} size={16} />}
          loading={add.isPending}
        >
          {t('datasets.classes.add')}
        </Button>
      </Group>
    </form>
  );
}

function ClassMenu({ dataset, one }: { dataset: CountedDataset; one: CountedDatasetClass }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const confirm = useConfirm();
  const showError = useShowError();
  const [open, setOpen] = useState<'rename' | 'merge' | null>(null);
  const close = () => setOpen(null);
  const onDone = () => {
    close();
    renew();
  };
  const rename = useMutation({
    mutationFn: (name: string) => client.datasetClasses.rename(dataset.id, one.id, { name }),
    onSuccess: onDone,
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: () => client.datasetClasses.remove(dataset.id, one.id, { force: true }),
    onSuccess: onDone,
    onError: showError,
  });
  const askToRemove = () =>
    confirm({
      title: t('datasets.classes.removeTitle', { name: one.name }),
      text: t('datasets.classes.removeText', {
        count: one.pictures,
        pictures: format.number(one.pictures),
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
          submit={t('kit.save')}
          name={one.name}
          isBusy={rename.isPending}
          onSubmit={(name) => rename.mutate(name)}
          onClose={close}
        />
      )}
      {open === 'merge' && <MergeClass dataset={dataset} one={one} onDone={onDone} onClose={close} />}
    </>
  );
}

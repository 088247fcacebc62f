import type { CountedDataset, DatasetFormat } from '@lynceus/client';
import { ActionIcon, Button, Menu, Slider, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiDelete, mdiDotsVertical, mdiFolderZip, mdiPencil, mdiSetSplit, mdiTrayArrowDown } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../kit/confirm.js';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { NameWindow } from '../kit/name-window.js';
import { useAction } from '../kit/use-action.js';
import { useFileLink } from '../kit/use-file-link.js';
import { useFormat } from '../kit/use-format.js';
import { Window } from '../kit/window.js';
import { serviceAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { ImportZip } from './import-zip.js';
import { useRenewDataset } from './queries.js';

const formats: Readonly<Record<string, readonly DatasetFormat[]>> = {
  classification: ['folders', 'coco', 'csv'],
  multi_label: ['coco', 'csv'],
  object_detection: ['coco', 'yolo', 'voc', 'csv'],
};

/** The menu of a dataset. */
export function DatasetMenu({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const confirm = useConfirm();
  const onFile = useFileLink();
  const renew = useRenewDataset(dataset.id);
  const [isRenaming, renaming] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const [isSplitting, splitting] = useDisclosure(false);
  const remove = useAction({
    mutationFn: () => client.datasets.remove(dataset.id),
    onSuccess: ({ images }) => {
      navigate('/datasets');
      queries.removeQueries({ queryKey: ['datasets', dataset.id] });
      queries.invalidateQueries({ queryKey: ['datasets'] });
      showDone(t('datasets.removed', { count: images, images: format.number(images) }));
    },
  });
  const askToRemove = () =>
    confirm({
      title: t('datasets.removeTitle', { name: dataset.name }),
      text: t('datasets.removeText', {
        count: dataset.images,
        images: format.number(dataset.images),
      }),
      yes: t('datasets.remove'),
      onYes: () => remove.mutate(),
    });
  const kind = dataset.multi_label ? 'multi_label' : dataset.task;
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('datasets.menu')}>
            <Icon path={mdiDotsVertical} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChange && (
            <>
              <Menu.Item leftSection={<Icon path={mdiPencil} size={16} />} onClick={renaming.open}>
                {t('datasets.rename')}
              </Menu.Item>
              <Menu.Item leftSection={<Icon path={mdiFolderZip} size={16} />} onClick={importing.open}>
                {t('datasets.import')}
              </Menu.Item>
              <Menu.Item leftSection={<Icon path={mdiSetSplit} size={16} />} onClick={splitting.open}>
                {t('datasets.split')}
              </Menu.Item>
            </>
          )}
          <Menu.Label>{t('datasets.export')}</Menu.Label>
          {formats[kind]?.map((name) => (
            <Menu.Item
              key={name}
              component="a"
              // The browser downloads it straight to disk: a dataset may be larger than the memory of a page.
              href={`${serviceAddress}/api/datasets/${dataset.id}/export?format=${name}`}
              download
              onClick={onFile}
              disabled={dataset.images === 0}
              leftSection={<Icon path={mdiTrayArrowDown} size={16} />}
            >
              {t(`datasets.format.${name}`)}
            </Menu.Item>
          ))}
          {mayChange && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<Icon path={mdiDelete} size={16} />}
                onClick={askToRemove}
                disabled={remove.isPending}
              >
                {t('datasets.removeThis')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isRenaming && (
        <NameWindow
          title={t('datasets.rename')}
          label={t('datasets.name')}
          name={dataset.name}
          save={(name) => client.datasets.rename(dataset.id, { name })}
          onSaved={renew}
          onClose={renaming.close}
        />
      )}
      {isImporting && <ImportZip datasetId={dataset.id} onClose={importing.close} />}
      {isSplitting && <SplitWindow dataset={dataset} onClose={splitting.close} />}
    </>
  );
}

/** Holds out a share of the images for evaluation. */
function SplitWindow({ dataset, onClose }: { dataset: CountedDataset; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const [share, setShare] = useState(0.2);
  const split = useAction({
    mutationFn: () => client.datasets.split(dataset.id, { heldOut: share }),
    onSuccess: ({ assigned, train, held_out }) => {
      renew();
      onClose();
      showDone(
        t('datasets.splitDone', {
          assigned: format.number(assigned),
          train: format.number(train),
          heldOut: format.number(held_out),
        }),
      );
    },
  });
  return (
    <Window onClose={onClose} title={t('datasets.splitTitle')}>
      <Stack>
        <Text size="sm">{t('datasets.splitText')}</Text>
        <Text size="sm" fw={500}>
          {t('datasets.splitShare', { share: format.percent(share, 0) })}
        </Text>
        <Slider
          min={0.05}
          max={0.5}
          step={0.05}
          label={(value) => format.percent(value, 0)}
          thumbLabel={t('datasets.splitShare', { share: format.percent(share, 0) })}
          value={share}
          onChange={setShare}
        />
        <Button onClick={() => split.mutate()} loading={split.isPending}>
          {t('datasets.splitSubmit')}
        </Button>
      </Stack>
    </Window>
  );
}

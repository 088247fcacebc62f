import type { CountedDataset, DatasetFormat } from '@lynceus/client';
import { Button, Menu, Slider, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiFolderZip, mdiSetSplit, mdiTrayArrowDown } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showDone } from '../kit/error-text.js';
import { ActionItem, FileItem, ResourceMenu } from '../kit/resource-menu.js';
import { useAction } from '../kit/use-action.js';
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
  const renew = useRenewDataset(dataset.id);
  const [isImporting, importing] = useDisclosure(false);
  const [isSplitting, splitting] = useDisclosure(false);
  const kind = dataset.multi_label ? 'multi_label' : dataset.task;
  const rename = {
    item: t('datasets.rename'),
    title: t('datasets.rename'),
    label: t('datasets.name'),
    name: dataset.name,
    save: (name: string) => client.datasets.rename(dataset.id, { name }),
    onSaved: renew,
  };
  const remove = {
    item: t('datasets.removeThis'),
    confirm: {
      title: t('datasets.removeTitle', { name: dataset.name }),
      text: t('datasets.removeText', { count: dataset.images, images: format.number(dataset.images) }),
      yes: t('datasets.remove'),
    },
    run: async () => {
      const { images } = await client.datasets.remove(dataset.id);
      navigate('/datasets');
      queries.removeQueries({ queryKey: ['datasets', dataset.id] });
      queries.invalidateQueries({ queryKey: ['datasets'] });
      showDone(t('datasets.removed', { count: images, images: format.number(images) }));
    },
  };
  return (
    <>
      <ResourceMenu label={t('datasets.menu')} look="dots" {...(mayChange && { rename, remove })}>
        {mayChange && (
          <>
            <ActionItem icon={mdiFolderZip} onClick={importing.open}>
              {t('datasets.import')}
            </ActionItem>
            <ActionItem icon={mdiSetSplit} onClick={splitting.open}>
              {t('datasets.split')}
            </ActionItem>
          </>
        )}
        <Menu.Label>{t('datasets.export')}</Menu.Label>
        {formats[kind]?.map((name) => (
          <FileItem
            key={name}
            icon={mdiTrayArrowDown}
            href={`${serviceAddress}/api/datasets/${dataset.id}/export?format=${name}`}
            isDisabled={dataset.images === 0}
          >
            {t(`datasets.format.${name}`)}
          </FileItem>
        ))}
      </ResourceMenu>
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

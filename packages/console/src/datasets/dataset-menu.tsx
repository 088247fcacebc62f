import type { CountedDataset, DatasetFormat } from '@lynceus/client';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { mdiDelete, mdiDotsVertical, mdiFolderZip, mdiPencil, mdiSetSplit, mdiTrayArrowDown } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../kit/confirm.js';
import { useShowError } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { NameWindow } from '../kit/name-window.js';
import { useFileLink } from '../kit/use-file-link.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { serviceAddress } from '../service/service-address.js';
import { ImportZip } from './import-zip.js';
import { useRenewDataset } from './queries.js';
import { SplitWindow } from './split-window.js';

const formats: Readonly<Record<string, readonly DatasetFormat[]>> = {
  classification: ['folders', 'coco', 'csv'],
  multi_label: ['coco', 'csv'],
  object_detection: ['coco', 'yolo', 'voc', 'csv'],
};

/** What is done with a dataset as a whole. */
export function DatasetMenu({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const confirm = useConfirm();
  const showError = useShowError();
  const onFile = useFileLink();
  const renew = useRenewDataset(dataset.id);
  const [isRenaming, renaming] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const [isSplitting, splitting] = useDisclosure(false);
  const rename = useMutation({
    mutationFn: (name: string) => client.datasets.rename(dataset.id, { name }),
    onSuccess: () => {
      renaming.close();
      renew();
    },
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: () => client.datasets.remove(dataset.id),
    onSuccess: ({ images }) => {
      navigate('/datasets');
      queries.removeQueries({ queryKey: ['datasets', dataset.id] });
      queries.invalidateQueries({ queryKey: ['datasets'] });
      notifications.show({
        message: t('datasets.removed', { count: images, images: format.number(images) }),
      });
    },
    onError: showError,
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
              // By the browser itself, straight to the disk: a dataset may be larger than memory.
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
          submit={t('kit.save')}
          name={dataset.name}
          isBusy={rename.isPending}
          onSubmit={(name) => rename.mutate(name)}
          onClose={renaming.close}
        />
      )}
      {isImporting && <ImportZip datasetId={dataset.id} onClose={importing.close} />}
      {isSplitting && <SplitWindow dataset={dataset} onClose={splitting.close} />}
    </>
  );
}

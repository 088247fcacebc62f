import type { AddedImage, CountedDataset } from '@lynceus/client';
import {
  Autocomplete,
  Button,
  FileButton,
  Group,
  Progress,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { mdiFolderUpload, mdiImageMultiple } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useShowError } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useRenewDataset } from '../queries.js';
import classes from './add-images.module.css';
import { type ChosenFile, fromChosenFiles, readDroppedFiles } from './dropped-files.js';
import { planBatches, readAddresses, sendBatches } from './send-images.js';
import { Verdicts } from './verdicts.js';

type LabelBy = 'none' | 'folder' | 'one';

/** Adds images to a dataset: files, folders, pasted images, addresses. */
export function AddImages({
  dataset,
  files,
  text,
  onClose,
}: {
  dataset: CountedDataset;
  /** Dropped or pasted before the window opened. */
  files: readonly ChosenFile[];
  text: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const showError = useShowError();
  const [chosen, setChosen] = useState(files);
  const [addresses, setAddresses] = useState(text);
  const [labelBy, setLabelBy] = useState<LabelBy>(() => usualLabelBy(dataset, files));
  const [label, setLabel] = useState('');
  const [verdicts, setVerdicts] = useState<readonly AddedImage[]>([]);
  const stop = useRef<AbortController | null>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const urls = readAddresses(addresses);
  const total = chosen.length + urls.length;
  const send = useMutation({
    mutationFn: () => {
      const one = labelBy === 'one' && label.trim() !== '' ? label.trim() : undefined;
      const batches = planBatches(
        chosen,
        urls,
        ({ folder }) => (labelBy === 'folder' ? (folder ?? undefined) : one),
        one,
      );
      stop.current = new AbortController();
      const addVerdicts = (some: readonly AddedImage[]) => setVerdicts((all) => [...all, ...some]);
      return sendBatches(client, dataset.id, batches, addVerdicts, stop.current.signal);
    },
    onError: (error) => {
      if (!stop.current?.signal.aborted) showError(error);
    },
    onSettled: renew,
  });
  const choose = (more: readonly ChosenFile[]) => {
    const all = [...chosen, ...more];
    setChosen(all);
    setLabelBy((now) => (now === 'one' ? now : usualLabelBy(dataset, all)));
  };
  const close = () => {
    stop.current?.abort();
    onClose();
  };
  const dropTarget = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      readDroppedFiles(event.dataTransfer).then(choose);
    },
  };
  const isToLabel = labelBy === 'none' && verdicts.some(({ outcome }) => outcome === 'added');
  const hasStarted = send.isPending || send.isSuccess || send.isError;
  return (
    <Window
      size="lg"
      onClose={close}
      title={t('datasets.adding.title')}
      closeOnClickOutside={!send.isPending}
    >
      {hasStarted ? (
        <Stack>
          <Progress.Root size="lg">
            <Progress.Section
              value={(100 * verdicts.length) / Math.max(1, total)}
              animated={send.isPending}
              aria-label={t('datasets.adding.progress')}
            />
          </Progress.Root>
          <Text role="status">
            {t('datasets.adding.doneOf', {
              done: format.number(verdicts.length),
              total: format.number(total),
            })}
          </Text>
          <Verdicts verdicts={verdicts} />
          <Group justify="end">
            {send.isPending ? (
              <Button variant="default" onClick={() => stop.current?.abort()}>
                {t('datasets.adding.stop')}
              </Button>
            ) : (
              <>
                <Button variant={isToLabel ? 'default' : 'filled'} onClick={close}>
                  {t('datasets.adding.done')}
                </Button>
                {isToLabel && (
                  <Button component={Link} to={`/datasets/${dataset.id}/label`} data-autofocus>
                    {t('datasets.adding.labelThem')}
                  </Button>
                )}
              </>
            )}
          </Group>
        </Stack>
      ) : (
        <Stack>
          <div className={classes['zone']} {...dropTarget}>
            <Icon path={mdiImageMultiple} size={36} />
            <Text ta="center">
              {chosen.length === 0
                ? t('datasets.adding.drop')
                : t('datasets.adding.chosen', {
                    count: chosen.length,
                    files: format.number(chosen.length),
                    size: format.bytes(chosen.reduce((sum, { file }) => sum + file.size, 0)),
                  })}
            </Text>
            <Group justify="center">
              <FileButton
                multiple
                accept="image/*,.heic,.heif"
                onChange={(some) => choose(fromChosenFiles(some))}
              >
                {(props) => (
                  <Button
                    variant="default"
                    leftSection={<Icon path={mdiImageMultiple} size={16} />}
                    data-autofocus
                    {...props}
                  >
                    {t('datasets.adding.chooseFiles')}
                  </Button>
                )}
              </FileButton>
              <Button
                variant="default"
                leftSection={<Icon path={mdiFolderUpload} size={16} />}
                onClick={() => folderInput.current?.click()}
              >
                {t('datasets.adding.chooseFolder')}
              </Button>
              <input
                ref={folderInput}
                type="file"
                hidden
                webkitdirectory=""
                onChange={(event) => {
                  choose(fromChosenFiles(event.currentTarget.files ?? []).filter(looksLikeImage));
                  event.currentTarget.value = '';
                }}
              />
              {chosen.length > 0 && (
                <Button variant="subtle" onClick={() => setChosen([])}>
                  {t('datasets.adding.none')}
                </Button>
              )}
            </Group>
          </div>
          <Textarea
            label={t('datasets.adding.addresses')}
            description={t('datasets.adding.addressesHint')}
            placeholder="https://…"
            autosize
            minRows={2}
            maxRows={8}
            value={addresses}
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
          {dataset.task === 'classification' && (
            <Stack gap="xs">
              <Text size="sm" fw={500} id="label-by">
                {t('datasets.adding.labelBy')}
              </Text>
              <SegmentedControl
                aria-labelledby="label-by"
                value={labelBy}
                onChange={(value) => setLabelBy(value)}
                data={(['none', 'folder', 'one'] as const).map((value) => ({
                  value,
                  label: t(`datasets.adding.by.${value}`),
                }))}
              />
              {labelBy === 'one' && (
                <Autocomplete
                  label={t('datasets.adding.label')}
                  data={dataset.classes.map(({ name }) => name)}
                  limit={20}
                  maxLength={200}
                  value={label}
                  onChange={setLabel}
                />
              )}
            </Stack>
          )}
          <Group justify="end">
            <Button
              disabled={total === 0 || (labelBy === 'one' && label.trim() === '')}
              onClick={() => send.mutate()}
            >
              {t('datasets.adding.submit', { count: total, images: format.number(total) })}
            </Button>
          </Group>
        </Stack>
      )}
    </Window>
  );
}

/** If there are several folders, their names are probably the classes. */
function usualLabelBy({ task }: CountedDataset, files: readonly ChosenFile[]): LabelBy {
  const folders = new Set(files.map(({ folder }) => folder));
  return task === 'classification' && folders.size > 1 ? 'folder' : 'none';
}

/** Only probable images of a folder are sent. Files that were chosen one by one are all sent, and checked by the service. */
function looksLikeImage({ file }: ChosenFile): boolean {
  return file.type.startsWith('image/') || /\.(hei[cf]|avif|tiff?|bmp)$/i.test(file.name);
}

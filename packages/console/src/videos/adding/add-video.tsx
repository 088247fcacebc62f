import limits from 'api-limits:POST /api/videos';
import { SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { textLimits } from '../../kit/field-limits.js';
import { SaveForm } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient, useUploadClient } from '../../service/client.js';
import type { Sent } from '../../service/upload-fetch.js';
import { FileZone } from './file-zone.js';
import { SettingsFields } from './settings-fields.js';
import { UploadProgress } from './upload-progress.js';
import { firstValues, isAddress, settingsRules, toVideoSettings, type VideoValues } from './video-values.js';

/** Adds a video: a file, with the progress of its upload, or an address. */
export function AddVideo({ file: given, onClose }: { file: File | null; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const createUploadClient = useUploadClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [file, setFile] = useState(given);
  const [sent, setSent] = useState<Sent | null>(null);
  const stop = useRef<AbortController | null>(null);
  const form = useForm<VideoValues>({
    initialValues: firstValues,
    validate: {
      address: (address, { from }) =>
        from === 'address' && !isAddress(address.trim()) ? t('videos.adding.noAddress') : null,
      ...settingsRules(t),
    },
  });
  const add = useMutation({
    mutationFn: (values: VideoValues) => {
      const name = values.name.trim() || undefined;
      const wanted = { name, settings: toVideoSettings(values) };
      if (values.from === 'address') return client.videos.addByAddress(values.address.trim(), wanted);
      if (!file) throw new Error(t('videos.adding.noFile'));
      stop.current = new AbortController();
      const { signal } = stop.current;
      return createUploadClient(setSent).videos.upload(file, { ...wanted, signal });
    },
    onSuccess: ({ id }) => {
      navigate(`/videos/${id}`);
      return queries.invalidateQueries({ queryKey: ['videos'] });
    },
    onSettled: () => setSent(null),
  });
  const isCancelled = stop.current?.signal.aborted === true;
  const close = () => {
    stop.current?.abort();
    onClose();
  };
  const { from } = form.values;
  return (
    <Window size="lg" onClose={close} title={t('videos.adding.title')} closeOnClickOutside={!add.isPending}>
      {add.isPending && from === 'file' ? (
        <UploadProgress sent={sent} onCancel={() => stop.current?.abort()} />
      ) : (
        <SaveForm
          form={form}
          save={{ ...add, error: isCancelled ? null : add.error }}
          submit={t('videos.adding.submit')}
          isFullWidth
        >
          <SegmentedControl
            aria-label={t('videos.adding.from')}
            data={(['file', 'address'] as const).map((value) => ({
              value,
              label: t(`videos.adding.${value}`),
            }))}
            {...form.getInputProps('from')}
          />
          {from === 'file' ? (
            <FileZone file={file} onChoose={setFile} />
          ) : (
            <TextInput
              label={t('videos.adding.address')}
              description={t('videos.adding.addressHint')}
              placeholder="https://…"
              {...textLimits(limits, 'address')}
              autoComplete="off"
              {...form.getInputProps('address')}
            />
          )}
          <TextInput
            label={t('videos.adding.name')}
            description={t('videos.adding.nameHint')}
            {...textLimits(limits, 'name')}
            {...form.getInputProps('name')}
          />
          <SettingsFields form={form} />
        </SaveForm>
      )}
    </Window>
  );
}

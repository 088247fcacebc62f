import type { CustomModel, ReadModelVersion } from '@lynceus/client';
import { Alert, Anchor, Button, FileInput, Group, Stack, Switch, Text } from '@mantine/core';
import { mdiCheckCircle, mdiFileUpload } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../kit/icon.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useRenewModels } from '../queries.js';
import { ImportNotes } from './import-notes.js';
import { ImportOptionsFields, useImportOptionsForm } from './import-options-form.js';

/** Uploads a model, and shows how its file was read. */
export function UploadVersion({ model, onClose }: { model: CustomModel; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const [files, setFiles] = useState<File[]>([]);
  const [isActive, setIsActive] = useState(true);
  const { form, read } = useImportOptionsForm();
  const upload = useMutation({
    mutationFn: () =>
      client.modelVersions.upload(model.model_id, files, { options: read(), activate: isActive }),
    onSuccess: renew,
  });
  return (
    <Window
      size="lg"
      onClose={onClose}
      closeOnClickOutside={!upload.isPending}
      title={t('models.uploads.title')}
    >
      {upload.data ? (
        <Uploaded model={model} version={upload.data} onClose={onClose} />
      ) : (
        <Stack>
          <Text size="sm">{t('models.uploads.text')}</Text>
          <FileInput
            label={t('models.uploads.files')}
            placeholder={t('models.uploads.choose')}
            description={t('models.uploads.filesHint')}
            multiple
            clearable
            leftSection={<Icon path={mdiFileUpload} size={16} />}
            value={files}
            onChange={setFiles}
          />
          <ImportOptionsFields task={model.task} form={form} />
          <Switch
            label={t('models.training.activate')}
            checked={isActive}
            onChange={(event) => setIsActive(event.currentTarget.checked)}
          />
          <FormError error={upload.error} title={t('models.uploads.refused')} />
          <Group justify="end">
            {upload.isPending && (
              <Text size="sm" c="dimmed" role="status">
                {t('models.uploads.trying')}
              </Text>
            )}
            <Button disabled={files.length === 0} loading={upload.isPending} onClick={() => upload.mutate()}>
              {t('models.uploads.submit')}
            </Button>
          </Group>
        </Stack>
      )}
    </Window>
  );
}

function Uploaded({
  model,
  version,
  onClose,
}: {
  model: CustomModel;
  version: ReadModelVersion;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert
        icon={<Icon path={mdiCheckCircle} />}
        title={t('models.uploads.done', { number: version.number })}
      >
        <ImportNotes version={version} />
      </Alert>
      <Group justify="end">
        <Anchor
          component={Link}
          size="sm"
          to={`/models/${model.model_id}/versions/${version.number}`}
          onClick={onClose}
        >
          {t('models.uploads.look')}
        </Anchor>
        <Button onClick={onClose} data-autofocus>
          {t('models.uploads.close')}
        </Button>
      </Group>
    </Stack>
  );
}

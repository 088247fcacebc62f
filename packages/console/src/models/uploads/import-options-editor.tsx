import type { CustomModel, ReadModelVersion } from '@lynceus/client';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewModels } from '../queries.js';
import { ImportNotes } from './import-notes.js';
import { ImportOptionsFields, useImportOptionsForm } from './import-options-form.js';

/** How an upload was read, and a new version of the same files with other options. */
export function ImportOptionsEditor({ model, version }: { model: CustomModel; version: ReadModelVersion }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const renew = useRenewModels();
  const navigate = useNavigate();
  const { form, read } = useImportOptionsForm(version.import?.options);
  const change = useAction({
    mutationFn: () => client.modelVersions.change(model.model_id, version.number, read()),
    onSuccess: ({ number }) => {
      renew();
      navigate(`/models/${model.model_id}/versions/${number}`);
    },
  });
  return (
    <Stack>
      <Card withBorder>
        <Title order={2} size="h5" mb="xs">
          {t('models.uploads.understood')}
        </Title>
        <ImportNotes version={version} />
      </Card>
      {mayChange && (
        <Card withBorder>
          <Stack>
            <div>
              <Title order={2} size="h5">
                {t('models.uploads.otherwise')}
              </Title>
              <Text size="sm" c="dimmed">
                {t('models.uploads.otherwiseText')}
              </Text>
            </div>
            <ImportOptionsFields task={model.task} form={form} />
            <Group justify="end">
              <Button loading={change.isPending} onClick={() => change.mutate()}>
                {t('models.uploads.again')}
              </Button>
            </Group>
          </Stack>
        </Card>
      )}
    </Stack>
  );
}

import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { mdiDelete, mdiDownload } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFileLink } from '../../kit/use-file-link.js';
import { serviceAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { usePerception, useRenewFaces } from '../queries.js';
import { useModelId } from '../route-ids.js';
import { useReceipt } from '../use-receipt.js';
import { BulkCommand } from './bulk-command.js';
import { SettingsForm } from './settings-form.js';

/** The settings of a perception, its export and its deletion. */
export function SettingsPage() {
  const { t } = useTranslation();
  const modelId = useModelId();
  const mayChange = useMayChange();
  const perception = usePerception(modelId);
  const onFile = useFileLink();
  return (
    <Answered query={perception}>
      {(now) => (
        <Stack gap="xl" maw={680}>
          <SettingsForm key={modelId} perception={now} isReadOnly={!mayChange} />
          <Divider />
          <Stack gap="xs" align="start">
            <Title order={2} size="h4">
              {t('faces.export.title')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('faces.export.text')}
            </Text>
            {/* The browser downloads it straight to disk: it may be larger than the memory of a page. */}
            <Button
              component="a"
              href={`${serviceAddress}/api/perceptions/${modelId}/export`}
              download
              onClick={onFile}
              variant="default"
              leftSection={<Icon path={mdiDownload} size={16} />}
            >
              {t('faces.export.start')}
            </Button>
          </Stack>
          {mayChange && (
            <>
              <Divider />
              <BulkCommand modelId={modelId} />
              <Divider />
              <Deletion modelId={modelId} name={now.name} people={now.people} images={now.images} />
            </>
          )}
        </Stack>
      )}
    </Answered>
  );
}

function Deletion({
  modelId,
  name,
  people,
  images,
}: {
  modelId: number;
  name: string;
  people: number;
  images: number;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const remove = useAction({
    mutationFn: () => client.perceptions.remove(modelId),
    onSuccess: async (receipt) => {
      await navigate('/faces');
      showReceipt(t('faces.delete.done', { name }), receipt);
      await renew();
    },
  });
  const ask = () =>
    confirm({
      title: t('faces.delete.title', { name }),
      text: t('faces.delete.text', {
        people: t('faces.people', { count: people }),
        images: t('faces.images', { count: images }),
      }),
      yes: t('faces.delete.yes'),
      onYes: () => remove.mutate(),
    });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('faces.delete.heading')}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('faces.delete.hint')}
        </Text>
        <Button
          color="red"
          variant="light"
          leftSection={<Icon path={mdiDelete} size={16} />}
          loading={remove.isPending}
          onClick={ask}
        >
          {t('faces.delete.yes')}
        </Button>
      </Group>
    </Stack>
  );
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { mdiAlert, mdiCheck, mdiCloudUpload, mdiPencil } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { type DraftEntry, isUnsaved } from '../drafts/draft-store.js';
import { LabelledElsewhere } from '../drafts/labelled-elsewhere.js';

/** Whether the service has what is said of the image; when it has not, why, and what to do. */
export function SaveState({
  entry,
  onRetry,
  onDiscard,
}: {
  entry: DraftEntry;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (entry.error && isUnsaved(entry) && !entry.isSaving) {
    const isElsewhere = entry.error instanceof LabelledElsewhere;
    return (
      <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('labelling.notSaved')} role="alert">
        <Stack gap="xs" align="start">
          <Text size="sm">{isElsewhere ? t('labelling.elsewhere') : errorText(entry.error)}</Text>
          <Text size="sm">{t('labelling.kept')}</Text>
          <Group gap="xs">
            <Button size="xs" onClick={onRetry}>
              {isElsewhere ? t('labelling.overOthers') : t('shell.retry')}
            </Button>
            <Button size="xs" variant="default" onClick={onDiscard}>
              {isElsewhere ? t('labelling.takeOthers') : t('labelling.discard')}
            </Button>
          </Group>
        </Stack>
      </Alert>
    );
  }
  const { labels } = entry.history.present;
  const state = entry.isSaving ? 'saving' : isUnsaved(entry) ? 'changed' : labels === null ? 'open' : 'saved';
  const icon = { saving: mdiCloudUpload, changed: mdiPencil, open: mdiPencil, saved: mdiCheck }[state];
  return (
    <Group gap={6} c="dimmed">
      <Icon path={icon} size={16} />
      <Text size="sm">{t(`labelling.state.${state}`)}</Text>
    </Group>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Blocker } from 'react-router';
import { useErrorText } from '../kit/error-text.js';
import { Window } from '../kit/window.js';
import type { DraftEntry } from './drafts/draft-store.js';
import { LabelledElsewhere } from './drafts/labelled-elsewhere.js';

/** Asked where labels could not be saved and somebody goes elsewhere. */
export function LeaveUnsaved({ blocker, entry }: { blocker: Blocker; entry: DraftEntry }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (blocker.state !== 'blocked' || entry.isSaving || !entry.error) return null;
  const reason = entry.error instanceof LabelledElsewhere ? t('labelling.elsewhere') : errorText(entry.error);
  return (
    <Window onClose={() => blocker.reset()} title={t('labelling.leaveTitle')}>
      <Stack>
        <Text size="sm">{t('labelling.leaveText', { reason })}</Text>
        <Group justify="end">
          <Button variant="default" onClick={() => blocker.reset()} data-autofocus>
            {t('labelling.stay')}
          </Button>
          <Button color="red" onClick={() => blocker.proceed()}>
            {t('labelling.leave')}
          </Button>
        </Group>
      </Stack>
    </Window>
  );
}

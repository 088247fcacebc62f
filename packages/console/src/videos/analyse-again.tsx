import type { Video } from '@lynceus/client';
import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiRefresh } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../kit/icon.js';
import { SaveForm } from '../kit/save-form.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';
import { SettingsFields } from './adding/settings-fields.js';
import {
  type SettingsValues,
  settingsRules,
  toSettingsValues,
  toVideoSettings,
} from './adding/video-values.js';

/** A button that opens the settings of a video, for another analysis. */
export function AnalyseAgain({ video, isMain = false }: { video: Video; isMain?: boolean }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant={isMain ? 'filled' : 'default'}
        leftSection={<Icon path={mdiRefresh} size={18} />}
        onClick={() => setIsOpen(true)}
      >
        {t('videos.again.open')}
      </Button>
      {isOpen && <AgainWindow video={video} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function AgainWindow({ video, onClose }: { video: Video; onClose: () => void }) {
  const { id, name, settings, has_timeline: hasTimeline } = video;
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useForm<SettingsValues>({
    initialValues: toSettingsValues(settings),
    validate: settingsRules(t),
  });
  const analyse = useMutation({
    mutationFn: (values: SettingsValues) => client.videos.analyse(id, { settings: toVideoSettings(values) }),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['videos'] });
    },
  });
  return (
    <Window size="lg" onClose={onClose} title={t('videos.again.title', { name })}>
      <SaveForm form={form} save={analyse} submit={t('videos.again.submit')} isFullWidth>
        {hasTimeline && <Text size="sm">{t('videos.again.text')}</Text>}
        <SettingsFields form={form} />
      </SaveForm>
    </Window>
  );
}

import type { Stream } from '@lynceus/client';
import { Select, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../kit/copied-text.js';
import { Moment } from '../kit/moment.js';
import { SaveForm } from '../kit/save-form.js';
import { Window } from '../kit/window.js';
import { viewLinkAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';

/** For which a link is good; the service allows an hour at most. */
const minutes = [10, 30, 60] as const;

/** Makes a link that shows the live image of a stream without signing in, for a while. */
export function ViewLink({ stream, onClose }: { stream: Stream; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useForm({ initialValues: { minutes: '60', kind: 'view.mjpg', hasBoxes: true } });
  const create = useMutation({
    mutationFn: (values: typeof form.values) =>
      client.streams.createViewToken(stream.id, { seconds: Number(values.minutes) * 60 }),
  });
  const { kind, hasBoxes } = form.values;
  return (
    <Window onClose={onClose} title={t('streams.link.title')} size="lg">
      <Stack>
        <Text size="sm">{t('streams.link.text')}</Text>
        {create.data ? (
          <>
            <CodeBlock
              label={t('streams.link.label')}
              code={viewLinkAddress(stream.id, { kind, hasBoxes, token: create.data.token })}
            />
            <Text size="sm" c="dimmed">
              {t('streams.link.until')} <Moment at={create.data.expires_at} hasSeconds />
            </Text>
          </>
        ) : (
          <SaveForm form={form} save={create} submit={t('streams.link.create')} isFullWidth>
            <Select
              label={t('streams.link.seconds')}
              allowDeselect={false}
              data-autofocus
              data={minutes.map((count) => ({
                value: String(count),
                label: count === 60 ? t('streams.link.hour') : t('streams.link.minutes', { count }),
              }))}
              {...form.getInputProps('minutes')}
            />
            <Select
              label={t('streams.link.kind')}
              allowDeselect={false}
              data={[
                { value: 'view.mjpg', label: t('streams.link.video') },
                { value: 'latest.jpg', label: t('streams.link.image') },
              ]}
              {...form.getInputProps('kind')}
            />
            <Switch
              label={t('streams.link.boxes')}
              {...form.getInputProps('hasBoxes', { type: 'checkbox' })}
            />
          </SaveForm>
        )}
      </Stack>
    </Window>
  );
}

import type { DropFileDetails } from '@lynceus/client';
import { Text, Timeline } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';

type Event = DropFileDetails['history'][number];
const known = [
  'resumed',
  'held',
  'arrived',
  'predicted',
  'written',
  'done',
  'failed',
  'retried',
  'partial',
] as const;
/** What a step tells is for people; of an analysis it is an id, which leads nowhere by itself. */
const silent = 'predicted';

/** What happened to a file, when, and how long each step took. */
export function FileHistory({ history }: { history: readonly Event[] }) {
  const { t, i18n } = useTranslation();
  const { number } = useFormat();
  return (
    <Timeline active={history.length - 1} bulletSize={14} lineWidth={2}>
      {history.map(({ at, what, detail }, index) => {
        const step = known.find((each) => each === what);
        const before = history[index - 1];
        const tookMs = before ? Date.parse(at) - Date.parse(before.at) : null;
        return (
          // Steps may repeat within a millisecond; they are never moved or taken out.
          // biome-ignore lint/suspicious/noArrayIndexKey: the history only grows at its end
          <Timeline.Item key={index} title={step ? t(`dropFiles.step.${step}`) : what}>
            <Text size="xs" c="dimmed">
              <time dateTime={at}>
                {new Date(at).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' })}
              </time>
              {tookMs !== null && ` · ${t('dropFiles.took', { seconds: number(tookMs / 1000) })}`}
            </Text>
            {detail !== null && what !== silent && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {detail}
              </Text>
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

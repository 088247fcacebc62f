import type { DropFileDetails } from '@lynceus/client';
import { Alert, Badge, Code, Group, Paper, Stack, Text, Timeline, Title } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { toSentence } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { useFormat } from '../../kit/use-format.js';
import { useMayChange } from '../../service/current-session.js';
import { FileActions } from './file-actions.js';
import { FileImage } from './file-image.js';
import { FileState, hasImage } from './file-state.js';

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

/** A step whose detail is an id, which is not shown. */
const silent = 'predicted';

/** A file: its state, findings, keywords and history. */
export function FileDetails({
  dropId,
  file,
  onGone,
}: {
  dropId: number;
  file: DropFileDetails;
  onGone: () => void;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const { bytes } = useFormat();
  const { state, error, keywords, delivered_to } = file;
  return (
    <Stack>
      <Group gap="sm">
        <FileState state={state} />
        <Text size="sm" c="dimmed">
          {bytes(file.file_bytes)}
        </Text>
      </Group>
      <FileActions dropId={dropId} file={file} mayChange={mayChange} onGone={onGone} />
      {error !== null && (
        <Alert
          color={state === 'failed' ? 'red' : 'orange'}
          icon={<Icon path={mdiAlert} />}
          title={t(`dropFiles.${errorTitle(state)}`)}
        >
          <span style={{ overflowWrap: 'anywhere' }}>{toSentence(error)}</span>
        </Alert>
      )}
      {hasImage(state) && <FileImage dropId={dropId} file={file} />}
      <Facts
        facts={[
          [t('dropFiles.path'), file.path],
          ...(delivered_to === null ? [] : [[t('dropFiles.deliveredTo'), delivered_to] as const]),
        ]}
      />
      {keywords !== null && <Keywords keywords={keywords} />}
      <section aria-label={t('dropFiles.history')}>
        <Title order={3} size="h5" mb="sm">
          {t('dropFiles.history')}
        </Title>
        <FileHistory history={file.history} />
      </section>
    </Stack>
  );
}

function errorTitle(state: DropFileDetails['state']) {
  if (state === 'failed') return 'failed';
  return state === 'done' ? 'withoutKeywords' : 'triedAgain';
}

function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return facts.map(([name, value]) => (
    <div key={name}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{value}</Code>
    </div>
  ));
}

function Keywords({ keywords }: { keywords: NonNullable<DropFileDetails['keywords']> }) {
  const { t } = useTranslation();
  const { all, added, field } = keywords;
  const own = new Set(added);
  return (
    <Paper component="section" aria-label={t('dropFiles.keywords')}>
      <Title order={3} size="h5">
        {t('dropFiles.keywords')}
      </Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t(`dropFiles.field.${field ?? 'none'}`)}
        {all.length > added.length && ` ${t('dropFiles.foundThere')}`}
      </Text>
      <Group gap={6}>
        {[...new Set(all)].map((keyword) => (
          <Badge key={keyword} variant={own.has(keyword) ? 'light' : 'default'} maw={260}>
            {keyword}
          </Badge>
        ))}
      </Group>
    </Paper>
  );
}

/** The steps of a file, with times and durations. */
function FileHistory({ history }: { history: readonly Event[] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Timeline active={history.length - 1} bulletSize={14} lineWidth={2}>
      {history.map(({ at, what, detail }, index) => {
        const step = known.find((each) => each === what);
        const before = history[index - 1];
        const tookMs = before ? Date.parse(at) - Date.parse(before.at) : null;
        return (
          // Steps may repeat within a millisecond; they are never moved or removed.
          // biome-ignore lint/suspicious/noArrayIndexKey: the history only grows at its end
          <Timeline.Item key={index} title={step ? t(`dropFiles.step.${step}`) : what}>
            <Text size="xs" c="dimmed">
              <Moment at={at} hasSeconds />
              {tookMs !== null && ` · ${t('dropFiles.took', { seconds: number(tookMs / 1000, 1) })}`}
            </Text>
            {detail !== null && what !== silent && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {what === 'failed' ? toSentence(detail) : detail}
              </Text>
            )}
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

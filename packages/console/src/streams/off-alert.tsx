import type { Stream } from '@lynceus/client';
import { Alert, Anchor } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../kit/icon.js';

/** How the service begins the reason of every stream while it cannot run any, as without ffmpeg. */
const beginning = 'live streams are off: ';

/** Says that the service runs no streams at all, and why. */
export function OffAlert({ streams }: { streams: readonly Stream[] }) {
  const { t } = useTranslation();
  const reason = streams.map(({ state }) => state.reason).find((each) => each?.startsWith(beginning));
  if (!reason) return null;
  return (
    <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('streams.off')} mb="md" role="alert">
      {t('streams.offText', { reason: reason.slice(beginning.length) })}{' '}
      <Anchor component={Link} to="/help/streams" inherit underline="always">
        {t('streams.offHelp')}
      </Anchor>
    </Alert>
  );
}

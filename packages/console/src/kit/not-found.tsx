import { Button } from '@mantine/core';
import { mdiMapMarkerOff } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from './empty.js';
import { PageHead } from './page-head.js';

/** For an unknown address, and for something that was deleted meanwhile. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('shell.notFoundTitle')} />
      <Empty icon={mdiMapMarkerOff} text={t('shell.notFoundText')}>
        <Button component={Link} to="/">
          {t('shell.home')}
        </Button>
      </Empty>
    </>
  );
}

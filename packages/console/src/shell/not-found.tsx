import { Button } from '@mantine/core';
import { mdiMapMarkerOff } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from '../kit/empty.js';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Empty icon={mdiMapMarkerOff} title={t('shell.notFoundTitle')} text={t('shell.notFoundText')}>
      <Button component={Link} to="/">
        {t('shell.home')}
      </Button>
    </Empty>
  );
}

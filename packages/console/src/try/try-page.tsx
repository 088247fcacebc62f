import { useTranslation } from 'react-i18next';
import { PageHead } from '../kit/page-head.js';

export function TryPage() {
  const { t } = useTranslation();
  return <PageHead title={t('tryIt.title')} text={t('tryIt.text')} />;
}

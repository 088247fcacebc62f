import { Anchor, Breadcrumbs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { GivenName } from '../kit/given-name.js';
import { usePerception } from './queries.js';
import styles from './trail.module.css';

/** Breadcrumbs: all perceptions, and the perception of the person. */
export function Trail({ modelId }: { modelId?: number }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('faces.trail')} className={styles['trail']}>
      <Breadcrumbs separatorMargin={6}>
        <Anchor component={Link} to="/faces" size="sm">
          {t('faces.title')}
        </Anchor>
        {modelId !== undefined && <PerceptionLink modelId={modelId} />}
      </Breadcrumbs>
    </nav>
  );
}

function PerceptionLink({ modelId }: { modelId: number }) {
  const { data } = usePerception(modelId);
  return (
    <Anchor component={Link} to={`/faces/${modelId}`} size="sm" className={styles['part']}>
      <GivenName name={data?.name ?? String(modelId)} inherit />
    </Anchor>
  );
}

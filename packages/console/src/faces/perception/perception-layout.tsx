import { mdiAccountGroup, mdiBrain, mdiChartBellCurve, mdiCog, mdiFaceRecognition } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { PageHead } from '../../kit/page-head.js';
import { usePerception } from '../queries.js';
import { useModelId } from '../route-ids.js';
import styles from './perception-layout.module.css';

const sections = [
  { part: '', name: 'people', icon: mdiAccountGroup },
  { part: '/search', name: 'search', icon: mdiFaceRecognition },
  { part: '/calibration', name: 'calibration', icon: mdiChartBellCurve },
  { part: '/embedder', name: 'embedder', icon: mdiBrain },
  { part: '/settings', name: 'settings', icon: mdiCog },
] as const;

/** On a phone not all tabs fit: scrolls to the current one. */
const bringIntoSight = (link: HTMLElement | null) =>
  link?.scrollIntoView({ inline: 'nearest', block: 'nearest' });

/** The head and the tabs of all pages of a perception. */
export function PerceptionLayout() {
  const { t } = useTranslation();
  const modelId = useModelId();
  const perception = usePerception(modelId);
  const { pathname } = useLocation();
  const base = `/faces/${modelId}`;
  const here = sections.findLast(({ part }) => pathname === `${base}${part}`);
  return (
    <Answered query={perception}>
      {({ name, people, images }) => (
        <>
          <PageHead
            title={name}
            back={{ to: '/faces', name: t('faces.title') }}
            text={[
              t('faces.people', { count: people }),
              t('faces.images', { count: images }),
              t('faces.number', { id: modelId }),
            ].join(' · ')}
          />
          <nav className={styles['tabs']} aria-label={t('faces.pagesOf', { name })}>
            {sections.map((section) => (
              <Link
                key={section.name}
                to={`${base}${section.part}`}
                className={styles['tab']}
                aria-current={here === section ? 'page' : undefined}
                ref={here === section ? bringIntoSight : null}
              >
                <Icon path={section.icon} size={18} />
                {t(`faces.tabs.${section.name}`)}
              </Link>
            ))}
          </nav>
          <Outlet />
        </>
      )}
    </Answered>
  );
}

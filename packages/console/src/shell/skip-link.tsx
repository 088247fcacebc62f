import { useTranslation } from 'react-i18next';
import styles from './skip-link.module.css';

/** The first thing the keyboard reaches: past the menu, to what the page is about. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <button className={styles['link']} type="button" onClick={() => document.getElementById('main')?.focus()}>
      {t('shell.skip')}
    </button>
  );
}

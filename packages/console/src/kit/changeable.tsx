import { Fieldset, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayChange } from '../service/current-session.js';
import styles from './changeable.module.css';

/** Fields that a reader sees, and cannot change. */
export function Changeable({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  return (
    <Fieldset variant="unstyled" disabled={!mayChange} className={styles['fields'] ?? ''}>
      {!mayChange && (
        <Text size="sm" c="dimmed" mb="md">
          {t('kit.readOnly')}
        </Text>
      )}
      {children}
    </Fieldset>
  );
}

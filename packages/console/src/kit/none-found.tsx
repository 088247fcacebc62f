import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** In the place of a list that a search left nothing of. */
export function NoneFound({ search }: { search: string }) {
  const { t } = useTranslation();
  return (
    <Text c="dimmed" role="status" my="md">
      {t('kit.noneFound', { search })}
    </Text>
  );
}

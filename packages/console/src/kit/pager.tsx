import { Button, Group, Text } from '@mantine/core';
import { mdiChevronLeft, mdiChevronRight } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.js';
import type { usePager } from './use-pager.js';

/** From page to page of a list; nothing where there is one page alone. */
export function Pager({ pager }: { pager: Omit<ReturnType<typeof usePager>, 'query'> }) {
  const { t, i18n } = useTranslation();
  const { pageNumber, isLast, goOn, goBack } = pager;
  if (pageNumber === 1 && isLast) return null;
  return (
    <Group justify="center" py="md" component="nav" aria-label={t('kit.pages')}>
      <Button
        variant="default"
        size="sm"
        disabled={pageNumber === 1}
        onClick={goBack}
        leftSection={<Icon path={mdiChevronLeft} size={18} />}
      >
        {t('kit.newer')}
      </Button>
      <Text size="sm" aria-live="polite">
        {t('kit.page', { number: pageNumber.toLocaleString(i18n.language) })}
      </Text>
      <Button
        variant="default"
        size="sm"
        disabled={isLast}
        onClick={goOn}
        rightSection={<Icon path={mdiChevronRight} size={18} />}
      >
        {t('kit.older')}
      </Button>
    </Group>
  );
}

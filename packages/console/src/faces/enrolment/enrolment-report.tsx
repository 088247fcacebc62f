import { Button, Group, Progress, ScrollArea, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { countEnrolments, type Enrolment } from './enrolment-list.js';
import { EnrolmentRow } from './enrolment-row.js';

/** What became of each image that was given, in words. */
export function EnrolmentReport({
  list,
  onRetry,
  onClear,
}: {
  list: readonly Enrolment[];
  onRetry: (enrolment: Enrolment) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  if (list.length === 0) return null;
  const { all, settled, added } = countEnrolments(list);
  return (
    <Stack gap="xs" mt="sm">
      <Group justify="space-between">
        <Text size="sm" fw={500} role="status">
          {settled < all
            ? t('person.adding', { settled, count: all })
            : t('person.addedOf', { added, count: all })}
        </Text>
        {settled > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={onClear}>
            {t('person.clear')}
          </Button>
        )}
      </Group>
      {settled < all && <Progress value={(settled / all) * 100} aria-label={t('person.progress')} />}
      <ScrollArea.Autosize mah={360} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Stack gap="xs" component="ul" p={0} m={0}>
          {list.map((enrolment) => (
            <EnrolmentRow key={enrolment.id} enrolment={enrolment} onRetry={() => onRetry(enrolment)} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

import { Card, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../kit/answered.js';
import { useClient } from '../service/client.js';

/** The calls of the account: used, and left where they can run out. */
export function Allowance() {
  const { t, i18n } = useTranslation();
  const client = useClient();
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => client.account({ signal }) });
  const number = (value: number) => value.toLocaleString(i18n.language);
  return (
    <Answered query={account}>
      {({ plan, calls: { limit, used, left } }) => (
        <Card withBorder>
          <Stack gap="xs">
            <Group justify="space-between">
              <Text fw={600}>{t(`usage.plan.${plan}`)}</Text>
              <Text>
                {limit === null
                  ? t('usage.unlimited', { count: used, used: number(used) })
                  : t('usage.left', { left: number(left ?? 0), limit: number(limit) })}
              </Text>
            </Group>
            {limit !== null && (
              <Progress.Root size="lg">
                <Progress.Section
                  value={(Math.min(used, limit) / Math.max(1, limit)) * 100}
                  color={left === 0 ? 'red' : 'lynx'}
                  aria-label={t('usage.used', { used: number(used), limit: number(limit) })}
                />
              </Progress.Root>
            )}
            {left === 0 && (
              <Text size="sm" c="red">
                {t('usage.usedUp')}
              </Text>
            )}
          </Stack>
        </Card>
      )}
    </Answered>
  );
}

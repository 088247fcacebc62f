import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** The head of a page: its name, which is the window's too, what it is for, and what can be done with it as a whole. */
export function PageHead({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Lynceus`;
  }, [title]);
  return (
    <Group justify="space-between" align="start" mb="lg" gap="sm">
      <Stack gap={4} maw={720} flex="1 1 300px" miw={0}>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {text && <Text c="dimmed">{text}</Text>}
      </Stack>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}

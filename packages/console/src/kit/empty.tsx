import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.js';

/** An empty state: what will be listed here, and how to start. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon: string;
  /** Left out if the title of the page says it. */
  title?: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Center py="xl">
      <Stack align="center" maw={440} ta="center" gap="sm">
        <ThemeIcon size={56} radius="xl" variant="light">
          <Icon path={icon} size={30} />
        </ThemeIcon>
        {title && (
          <Title order={2} size="h3">
            {title}
          </Title>
        )}
        <Text c="dimmed">{text}</Text>
        {children}
      </Stack>
    </Center>
  );
}

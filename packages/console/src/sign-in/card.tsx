import { Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A card in the middle of the window, for pages without a session. */
export function Card({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Lynceus`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="sm">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420}>
        <Stack>
          <Group gap="xs">
            <Image src="./icon.svg" w={32} h={32} alt="" />
            <Text fw={700} size="lg">
              Lynceus
            </Text>
          </Group>
          <Title order={1} size="h3">
            {title}
          </Title>
          {text && <Text c="dimmed">{text}</Text>}
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

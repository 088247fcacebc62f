import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';

/** The head of a page: its title, which is also the window's, its purpose, the way back, and actions on the whole page. */
export function PageHead({
  title,
  text,
  back,
  children,
}: {
  title: string;
  text?: string;
  /** The page above this one. */
  back?: { readonly to: string; readonly name: string };
  children?: ReactNode;
}) {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Lynceus`;
    // A window on a page may have a heading for a moment, as of a file that is just deleted: the page's comes back.
    return () => {
      document.title = before;
    };
  }, [title]);
  return (
    <>
      {back && <BackLink {...back} />}
      <Group justify="space-between" align="start" mb="lg" gap="sm">
        <Stack gap={4} maw={720} flex="1 1 300px" miw={0}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {text && <Text c="dimmed">{text}</Text>}
        </Stack>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </>
  );
}

/** A link to the page above. */
export function BackLink({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" display="block" w="fit-content" maw="100%" truncate="end">
      <span aria-hidden="true">‹ </span>
      <bdi>{name}</bdi>
    </Anchor>
  );
}

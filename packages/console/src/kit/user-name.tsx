import { Badge, Group, Text } from '@mantine/core';
import { GivenName } from './given-name.js';

/** Somebody who signs in, by name and mail address; `mark` tells what is special about them. */
export function UserName({ name, email, mark }: { name: string; email: string; mark: string | null }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <GivenName name={name} fw={500} size="sm" />
        {mark !== null && (
          <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
            {mark}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate="end" title={email}>
        {email}
      </Text>
    </>
  );
}

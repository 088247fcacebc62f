import { Text, type TextProps } from '@mantine/core';

/** A name given by a user, in one line: of any length and in any script. */
export function GivenName({ name, ...props }: { name: string } & TextProps) {
  return (
    <Text span display="block" truncate="end" title={name} {...props}>
      <bdi>{name}</bdi>
    </Text>
  );
}

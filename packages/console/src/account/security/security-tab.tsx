import { Grid, Stack } from '@mantine/core';
import { ChangePassword } from './change-password.js';
import { SecondFactor } from './second-factor.js';
import { Sessions } from './sessions.js';

/** How somebody signs in, and where they have. */
export function SecurityTab() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap="lg">
          <SecondFactor />
          <ChangePassword />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Sessions />
      </Grid.Col>
    </Grid>
  );
}

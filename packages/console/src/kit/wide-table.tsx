import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

/** Scrolls a wide table sideways, also by the keyboard. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box role="group" aria-label={label} tabIndex={0} style={{ overflowX: 'auto' }}>
      {children}
    </Box>
  );
}

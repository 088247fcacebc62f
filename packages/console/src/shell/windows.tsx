import { ModalsProvider } from '@mantine/modals';
import { Outlet } from 'react-router';

/** Pages that may ask something in a window of its own. */
export function Windows() {
  return (
    <ModalsProvider>
      <Outlet />
    </ModalsProvider>
  );
}

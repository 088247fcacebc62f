import { ModalsProvider } from '@mantine/modals';
import { Outlet } from 'react-router';

/** Pages that may open confirmation windows. */
export function Windows() {
  return (
    <ModalsProvider>
      <Outlet />
    </ModalsProvider>
  );
}

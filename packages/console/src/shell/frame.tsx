import type { Session } from '@lynceus/client';
import { AppShell, Burger, Group, Image, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation } from 'react-router';
import { FailedQuery } from '../kit/answered.js';
import { ClientProvider, createPageClient } from '../service/client.js';
import { SessionProvider } from '../service/current-session.js';
import { useLive } from '../service/live.js';
import { useSessionQuery } from '../service/session.js';
import { CallsLeft } from './calls-left.js';
import { Navigation } from './navigation.js';
import { SkipLink } from './skip-link.js';
import { UserButton } from './user-button.js';
import { Waiting } from './waiting.js';
import { WrongCodes } from './wrong-codes.js';

/** Everything behind the sign-in: who is not signed in is led there, and back afterwards. */
export function Frame() {
  const session = useSessionQuery();
  const { pathname, search } = useLocation();
  // Who was signed in stays so while the service does not answer: what is on the page must not go away.
  if (session.isPending) return <Waiting />;
  if (session.data === undefined)
    return <FailedQuery error={session.error} onRetry={() => session.refetch()} />;
  if (session.data === null) {
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  return <SignedIn key={session.data.user.id} session={session.data} />;
}

function SignedIn({ session }: { session: Session }) {
  const { t } = useTranslation();
  const [isOpen, menu] = useDisclosure(false);
  const client = useMemo(() => createPageClient(() => session.csrf_token), [session.csrf_token]);
  useLive();
  return (
    <SessionProvider value={session}>
      <ClientProvider value={client}>
        <SkipLink />
        <AppShell
          header={{ height: 56 }}
          navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
          padding={{ base: 'sm', sm: 'lg' }}
        >
          <AppShell.Header>
            <Group h="100%" px="md" justify="space-between" wrap="nowrap">
              <Group gap="xs" wrap="nowrap">
                <Burger
                  opened={isOpen}
                  onClick={menu.toggle}
                  hiddenFrom="sm"
                  size="sm"
                  aria-label={isOpen ? t('shell.closeMenu') : t('shell.openMenu')}
                />
                <Image src="./icon.svg" w={28} h={28} alt="" />
                <Text fw={700} size="lg">
                  Lynceus
                </Text>
              </Group>
              <Group gap="sm" wrap="nowrap">
                <CallsLeft />
                <UserButton />
              </Group>
            </Group>
          </AppShell.Header>
          <AppShell.Navbar p="xs" component="nav" aria-label={t('shell.pages')} style={{ overflowY: 'auto' }}>
            <Navigation onChoose={menu.close} />
          </AppShell.Navbar>
          <AppShell.Main id="main" tabIndex={-1}>
            <WrongCodes />
            <Outlet />
          </AppShell.Main>
        </AppShell>
      </ClientProvider>
    </SessionProvider>
  );
}

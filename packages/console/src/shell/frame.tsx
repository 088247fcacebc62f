import type { Session } from '@lynceus/client';
import { Alert, Anchor, AppShell, Badge, Burger, Button, Group, Image, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiShieldAlert } from '@mdi/js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { FailedQuery, Waiting } from '../kit/answered.js';
import { Icon } from '../kit/icon.js';
import { Moment } from '../kit/moment.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { ClientProvider, createPageClient, useClient } from '../service/client.js';
import { SessionProvider, useSession } from '../service/current-session.js';
import { useLive } from '../service/live.js';
import { sessionKey, useSessionQuery } from '../service/session.js';
import styles from './frame.module.css';
import { Navigation } from './navigation.js';
import { UserTarget } from './user-target.js';

const loadMenu = () => import('./user-menu.js');

const UserMenu = lazy(async () => ({ default: (await loadMenu()).UserMenu }));

/** Below this share of the limit the number of calls is a warning. */
const scarceShare = 0.1;

/** The frame of all pages with a session. Without one it redirects to the sign-in, which leads back afterwards. */
export function Frame() {
  const session = useSessionQuery();
  const { pathname, search } = useLocation();
  // While the service does not answer, the user stays signed in: unsaved input must not be lost.
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

/** The first element that the keyboard reaches: it skips the menu. */
function SkipLink() {
  const { t } = useTranslation();
  return (
    <button className={styles['link']} type="button" onClick={() => document.getElementById('main')?.focus()}>
      {t('shell.skip')}
    </button>
  );
}

/** The calls that the account has left, if they are limited. */
function CallsLeft() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const client = useClient();
  const { data } = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => client.account({ signal }) });
  if (!data || data.calls.left === null || data.calls.limit === null) return null;
  const isScarce = data.calls.left < data.calls.limit * scarceShare;
  return (
    <Badge component={Link} to="/usage" variant="light" color={isScarce ? 'red' : 'lynx'} visibleFrom="xs">
      {t('shell.callsLeft', { count: data.calls.left, calls: number(data.calls.left) })}
    </Badge>
  );
}

/** The signed-in user. The menu is loaded on hover or focus: most visits open none. */
function UserButton() {
  const [isWanted, setIsWanted] = useState(false);
  const target = (
    <UserTarget
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadMenu}
      onFocus={loadMenu}
      onClick={() => setIsWanted(true)}
    />
  );
  if (!isWanted) return target;
  return (
    <Suspense fallback={target}>
      <UserMenu />
    </Suspense>
  );
}

/** Wrong codes were given with the right password: shown on every page until it is dismissed. */
function WrongCodes() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { wrong_codes: wrong } = useSession();
  const dismiss = useAction({
    mutationFn: () => client.ownUser.dismissWrongCodes(),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionKey }),
  });
  if (!wrong) return null;
  return (
    <Alert
      color="orange"
      mb="lg"
      icon={<Icon path={mdiShieldAlert} />}
      title={t('shell.wrongCodes.title', { count: wrong.count })}
      // Orange on orange has too little contrast.
      styles={{ title: { color: 'inherit' } }}
    >
      <Stack gap="sm" align="start">
        <Text size="sm">
          {t('shell.wrongCodes.last')} <Moment at={wrong.last_at} />. {t('shell.wrongCodes.text')}
        </Text>
        <Group>
          <Button size="xs" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
            {t('shell.wrongCodes.dismiss')}
          </Button>
          <Anchor component={Link} to="/account/security" size="sm" underline="always">
            {t('shell.wrongCodes.change')}
          </Anchor>
        </Group>
      </Stack>
    </Alert>
  );
}

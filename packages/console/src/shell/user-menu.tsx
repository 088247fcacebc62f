import { Avatar, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { mdiAccount, mdiLogout, mdiMonitor, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../kit/icon.js';
import { useSession } from '../service/current-session.js';
import { useEndSession } from '../service/end-session.js';

const schemes = [
  { scheme: 'light', icon: mdiWhiteBalanceSunny },
  { scheme: 'dark', icon: mdiWeatherNight },
  { scheme: 'auto', icon: mdiMonitor },
] as const;

export function UserMenu() {
  const { t } = useTranslation();
  const { user, account } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useEndSession();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton>
          <VisuallyHidden>{t('shell.userMenu', { name: user.name })}</VisuallyHidden>
          <Avatar name={user.name} color="lynx" radius="xl" aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name} · {account.name}
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<Icon path={mdiAccount} size={16} />}>
          {t('shell.places.account')}
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(({ scheme, icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon path={icon} size={16} />}
            onClick={() => setColorScheme(scheme)}
            aria-current={scheme === colorScheme}
            fw={scheme === colorScheme ? 600 : undefined}
          >
            {t(`shell.schemes.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon path={mdiLogout} size={16} />} onClick={() => signOut.mutate()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

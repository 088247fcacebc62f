import { Menu, useMantineColorScheme } from '@mantine/core';
import { mdiAccount, mdiLogout, mdiMonitor, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../kit/icon.js';
import { useSession } from '../service/current-session.js';
import { useEndSession } from '../service/session.js';
import { UserTarget } from './user-target.js';

const schemes = [
  { scheme: 'light', icon: mdiWhiteBalanceSunny },
  { scheme: 'dark', icon: mdiWeatherNight },
  { scheme: 'auto', icon: mdiMonitor },
] as const;

/** Opens when mounted, since it is loaded on the first click. The focus returns to its button. */
export function UserMenu() {
  const { t } = useTranslation();
  const { user, account } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useEndSession();
  const target = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    target.current?.focus();
    setIsOpen(true);
  }, []);
  return (
    <Menu position="bottom-end" width={220} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>
        <UserTarget ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name} · {account.name}
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<Icon path={mdiAccount} size={16} />}>
          {t('shell.pageNames.account')}
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

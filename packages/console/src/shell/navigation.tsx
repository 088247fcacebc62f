import { NavLink } from '@mantine/core';
import {
  mdiAccount,
  mdiAccountGroup,
  mdiCctv,
  mdiChartBar,
  mdiFileSearch,
  mdiFilmstrip,
  mdiFolderDownload,
  mdiHelpCircle,
  mdiImageSearch,
  mdiKey,
  mdiMotionSensor,
  mdiServer,
  mdiShapeOutline,
  mdiTagMultiple,
} from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { Icon } from '../kit/icon.js';
import { useSession } from '../service/current-session.js';

const entries = [
  { to: '/', name: 'try', icon: mdiImageSearch },
  { to: '/faces', name: 'faces', icon: mdiAccountGroup },
  { to: '/models', name: 'models', icon: mdiShapeOutline },
  { to: '/datasets', name: 'datasets', icon: mdiTagMultiple },
  { to: '/streams', name: 'streams', icon: mdiCctv },
  { to: '/stream-events', name: 'streamEvents', icon: mdiMotionSensor },
  { to: '/videos', name: 'videos', icon: mdiFilmstrip },
  { to: '/drops', name: 'drops', icon: mdiFolderDownload },
  { to: '/files', name: 'files', icon: mdiFileSearch },
  { to: '/usage', name: 'usage', icon: mdiChartBar },
  { to: '/keys', name: 'keys', icon: mdiKey },
  { to: '/account', name: 'account', icon: mdiAccount },
  { to: '/help', name: 'help', icon: mdiHelpCircle },
] as const;

const administration = { to: '/admin', name: 'admin', icon: mdiServer } as const;

export function Navigation({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { user } = useSession();
  const shown = user.is_administrator ? [...entries, administration] : entries;
  return shown.map(({ to, name, icon }) => {
    const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={t(`shell.pageNames.${name}`)}
        leftSection={<Icon path={icon} size={18} />}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
        onClick={onChoose}
      />
    );
  });
}

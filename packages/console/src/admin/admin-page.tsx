import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { NotFound } from '../kit/not-found.js';
import { PageHead } from '../kit/page-head.js';
import { useTabInSight } from '../kit/use-tab-in-sight.js';
import { useSession } from '../service/current-session.js';
import { AccountsTab } from './accounts/accounts-tab.js';
import { ListenersTab } from './listeners/listeners-tab.js';
import { ModelsTab } from './models/models-tab.js';
import { ServiceTab } from './service/service-tab.js';
import { SettingsTab } from './settings/settings-tab.js';
import { UsersTab } from './users/users-tab.js';

const tabs = {
  service: ServiceTab,
  accounts: AccountsTab,
  users: UsersTab,
  models: ModelsTab,
  listeners: ListenersTab,
  settings: SettingsTab,
} as const;
type Tab = keyof typeof tabs;
const names = Object.keys(tabs) as readonly Tab[];

/** The administration of the service. */
export function AdminPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user } = useSession();
  const { tab: wanted } = useParams();
  const tab = names.find((each) => each === wanted) ?? 'service';
  const list = useTabInSight(tab);
  if (!user.is_administrator) return <NotFound />;
  const Shown = tabs[tab];
  return (
    <>
      <PageHead title={t('admin.title')} />
      <Tabs
        value={tab}
        onChange={(to) => navigate(to === 'service' ? '/admin' : `/admin/${to}`, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" ref={list}>
          {names.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`admin.tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { PageHead } from '../kit/page-head.js';
import { useSession } from '../service/current-session.js';
import { AuditLog } from './log/audit-log.js';
import { SecurityTab } from './security/security-tab.js';
import { AccountUsersTab } from './users/account-users-tab.js';
import { YouTab } from './you/you-tab.js';

const everybodys = ['you', 'security'] as const;
const owners = [...everybodys, 'users', 'log'] as const;

/** The person, how they sign in, and, for owners, who else does and what was changed. */
export function AccountPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user } = useSession();
  const { tab: wanted } = useParams();
  const tabs = user.role === 'owner' ? owners : everybodys;
  const tab = tabs.find((each) => each === wanted) ?? 'you';
  return (
    <>
      <PageHead title={t('account.title')} />
      <Tabs
        value={tab}
        onChange={(to) => navigate(to === 'you' ? '/account' : `/account/${to}`, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`account.tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="you">
          <YouTab />
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <SecurityTab />
        </Tabs.Panel>
        {user.role === 'owner' && (
          <>
            <Tabs.Panel value="users">
              <AccountUsersTab />
            </Tabs.Panel>
            <Tabs.Panel value="log">
              <AuditLog />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </>
  );
}

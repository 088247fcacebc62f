import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useClient } from '../service/client.js';

/** Below this share of the allowance its number is shown as a warning. */
const scarceShare = 0.1;

/** The calls that the account has left, where they can run out. */
export function CallsLeft() {
  const { t, i18n } = useTranslation();
  const client = useClient();
  const { data } = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => client.account({ signal }) });
  if (!data || data.calls.left === null || data.calls.limit === null) return null;
  const isScarce = data.calls.left < data.calls.limit * scarceShare;
  return (
    <Badge component={Link} to="/usage" variant="light" color={isScarce ? 'red' : 'lynx'} visibleFrom="xs">
      {t('shell.callsLeft', { count: data.calls.left, calls: data.calls.left.toLocaleString(i18n.language) })}
    </Badge>
  );
}

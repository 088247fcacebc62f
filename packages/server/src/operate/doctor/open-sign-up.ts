import type { Settings } from '../../core/settings.js';
import { type Finding, notice } from './finding.js';

type Settled = Pick<
  Settings,
  'openSignUp' | 'streamAllowedNetworks' | 'streamMaxPerAccount' | 'streamMaxPerReplica'
>;

const subject = 'open sign-up';

/** What strangers may reach and take where they make accounts by themselves. */
export function examineOpenSignUp({
  openSignUp,
  streamAllowedNetworks,
  streamMaxPerAccount,
  streamMaxPerReplica,
}: Settled): readonly Finding[] {
  if (!openSignUp) return [];
  const networks = streamAllowedNetworks.trim();
  const reach =
    networks === ''
      ? notice(
          subject,
          'streams and videos of private networks are refused to every account',
          'list the networks of cameras in streamAllowedNetworks, where strangers may reach them',
        )
      : notice(
          subject,
          `whoever signs up may open addresses in ${networks} as streams and videos`,
          'leave out of streamAllowedNetworks what strangers must not reach, or switch openSignUp off',
        );
  if (streamMaxPerAccount !== 0 && streamMaxPerAccount < streamMaxPerReplica) return [reach];
  const limit = streamMaxPerAccount === 0 ? 'has no limit' : `is ${streamMaxPerAccount}`;
  return [
    reach,
    notice(
      subject,
      `one account may fill a service with streams: streamMaxPerAccount ${limit}, streamMaxPerReplica is ${streamMaxPerReplica}`,
      'set streamMaxPerAccount below it, so that others need not wait for their turn',
    ),
  ];
}

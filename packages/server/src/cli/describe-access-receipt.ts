import type { NamedKey } from '../accounts/users/member-access.js';
import type { AccessReceipt } from '../accounts/users/members.js';
import { toPrintable } from './printable.js';

/** What became of the ways in that somebody created, a line each; what did not exist is left out. */
export function describeAccessReceipt(receipt: AccessReceipt): readonly string[] {
  const { keys, dropKeys, unknownKeys, invitationsWithdrawn, linksWithdrawn } = receipt;
  const lines: readonly (readonly [what: string, found: readonly NamedKey[]])[] = [
    ['Keys revoked', keys.revoked],
    ['Keys kept', keys.kept],
    ['Keys of drops revoked', dropKeys.revoked],
    ['Keys of drops kept (lynceus drops key, or keys revoke)', dropKeys.kept],
    ['Keys of unknown creators revoked', unknownKeys.revoked],
    ['Keys of unknown creators kept (lynceus keys revoke)', unknownKeys.kept],
  ];
  return [
    ...lines
      .filter(([, found]) => found.length > 0)
      .map(([what, found]) => `${what}: ${found.map(nameOf).join(', ')}`),
    ...(invitationsWithdrawn > 0 ? [`Invitations withdrawn: ${invitationsWithdrawn}`] : []),
    ...(linksWithdrawn > 0 ? [`Links withdrawn: ${linksWithdrawn}`] : []),
  ];
}

function nameOf({ id, prefix, name }: NamedKey): string {
  return `${id} "${toPrintable(name)}" (${prefix}…)`;
}

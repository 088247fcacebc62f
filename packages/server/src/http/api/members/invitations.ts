import { type Static, Type } from 'typebox';
import type { Invitation as DomainInvitation } from '../../../accounts/users/invitations.js';
import { linkTo } from '../../../accounts/users/link-address.js';
import { toAnswer } from '../answer.js';
import { exactly, Id, Time } from '../fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { Email, Role } from '../session/fields.js';
import { authenticatedUserOf } from '../session/signed-in.js';

export const Invitation = Type.Object(
  { id: Id, email: Type.String(), role: Role, created_at: Time, expires_at: Time },
  { title: 'Invitation', description: 'An invitation that was not used yet' },
);
export const NewInvitation = Type.Object(
  {
    ...Invitation.properties,
    link: Type.String({ description: 'for whoever is invited: shown here and never again' }),
  },
  { title: 'NewInvitation', description: 'The new invitation' },
);
const InvitationList = PageOf(Invitation, 'A page of invitations');
const tags = ['members'];

/** Invitations into the account, for its owners. */
export function addInvitationRoutes(app: ApiScope, { users, publicAddress }: ApiDeps): void {
  const { invitations } = users;

  app.get('/invitations', {
    config: { right: 'owner' },
    schema: {
      tags,
      operationId: 'listInvitations',
      summary: 'Invitations that were not used yet, the newest first; for owners',
      querystring: exactly(paging),
      response: { 200: InvitationList },
    },
    async handler(request) {
      const { accountId } = authenticatedUserOf(request);
      const page = await invitations.list(accountId, pageRequest(Id, request.query));
      return toPageAnswer(page, toInvitation);
    },
  });

  app.post('/invitations', {
    config: { right: 'owner', audit: 'itself' },
    schema: {
      tags,
      operationId: 'createInvitation',
      summary:
        'Creates an invitation, valid for a week; only this answer has the link, and the service sends no mail',
      body: exactly({ email: Email, role: Role }),
      response: { 201: NewInvitation },
    },
    async handler(request) {
      const { accountId, actor } = authenticatedUserOf(request);
      const made = await invitations.make(accountId, actor, request.body);
      const link = linkTo(publicAddress(request), made.token);
      return { ...toInvitation(made), link };
    },
  });

  app.delete('/invitations/:id', {
    config: { right: 'owner', audit: 'itself' },
    schema: {
      tags,
      operationId: 'withdrawInvitation',
      summary: 'Withdraws an invitation: its link lets nobody in any more',
      params: Type.Object({ id: Id }),
      response: { 204: Type.Null({ description: 'It is withdrawn' }) },
    },
    async handler(request) {
      const { accountId, actor } = authenticatedUserOf(request);
      await invitations.withdraw(accountId, actor, request.params.id);
    },
  });
}

export function toInvitation(invitation: DomainInvitation): Static<typeof Invitation> {
  return toAnswer(Invitation, invitation);
}

import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Who created keys, invitations and links from before that was written down, as far as the audit log knows. Links that let somebody in
 * and of whose creator nothing is known, or who may let nobody in any more, are withdrawn: there is nobody with whom they would end.
 * Keys of unknown creators stay; owners are asked about them when a user leaves.
 */
export async function attributeCreators(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements()) await statement.execute(db);
}

/** Of an entry of the audit log, as the columns of what it made. */
const setCreator = sql`
  creator_kind = made.who_kind,
  creator_user_id = case when made.who_kind = 'user' then made.who_id end,
  creator_key_id = case when made.who_kind = 'key' then made.who_id end`;

function* statements(): Iterable<RawBuilder<unknown>> {
  yield sql`
    update api_key set ${setCreator}
    from (
      select account_id, subject_id, who_kind, who_id from audit_entry
      where action = 'keys.create' and state = 'done' and (who_id is not null or who_kind = 'operator')
    ) as made
    where api_key.creator_kind is null and api_key.is_web = 0
    and made.account_id = api_key.account_id and made.subject_id = cast(api_key.id as text)`;
  // The key of a drop is of who created the drop, or gave it another key last.
  yield sql`
    update api_key set ${setCreator}
    from (
      select drop_box.key_id, entry.who_kind, entry.who_id
      from drop_box join audit_entry as entry on entry.id = (
        select max(id) from audit_entry
        where audit_entry.account_id = drop_box.account_id and action in ('drops.create', 'drops.renew_key')
        and state = 'done' and subject_id = cast(drop_box.id as text)
      )
      where entry.who_id is not null or entry.who_kind = 'operator'
    ) as made
    where api_key.creator_kind is null and made.key_id = api_key.id`;
  // What a key created is its user's as well.
  yield sql`
    with recursive chain (id, user_id) as (
      select id, creator_user_id from api_key where creator_kind = 'user'
      union
      select api_key.id, chain.user_id from api_key join chain on api_key.creator_key_id = chain.id
      where api_key.creator_kind = 'key'
    )
    update api_key set creator_user_id = (select max(chain.user_id) from chain where chain.id = api_key.id)
    where creator_kind = 'key' and creator_user_id is null`;
  // A new invitation of an address takes the place of the one before, and so does a new link of a user.
  for (const [kind, action, subject] of [
    ['invitation', 'invitations.create', sql`subject_name = web_link.email`],
    ['reset', 'links.reset', sql`subject_id = cast(web_link.user_id as text)`],
  ] as const) {
    yield sql`
      update web_link set ${setCreator}
      from (
        select web_link.id as link_id, entry.who_kind, entry.who_id
        from web_link left join web_user on web_user.id = web_link.user_id
        join audit_entry as entry on entry.id = (
          select max(audit_entry.id) from audit_entry
          where audit_entry.account_id = coalesce(web_link.account_id, web_user.account_id)
          and action = ${sql.lit(action)} and ${subject}
        )
        where web_link.kind = ${sql.lit(kind)} and web_link.used_at is null
        and (entry.who_id is not null or entry.who_kind = 'operator')
      ) as made
      where web_link.creator_kind is null and made.link_id = web_link.id`;
  }
  yield sql`update web_link set creator_kind = 'operator' where kind = 'first' and creator_kind is null`;
  yield sql`
    delete from web_link
    where used_at is null and kind <> 'first' and coalesce(creator_kind, 'unknown') <> 'operator'
    and not exists (
      select 1 from web_user as host
      where host.id = web_link.creator_user_id and (
        host.is_administrator = 1 or (host.role = 'owner' and host.account_id = coalesce(
          web_link.account_id, (select account_id from web_user where web_user.id = web_link.user_id)
        ))
      )
    )`;
}

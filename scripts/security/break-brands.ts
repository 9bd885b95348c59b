import type { SecurityBreak } from './break.ts'

const sql = 'supabase/migrations'
const foundation = `${sql}/20261122000001_foundation.sql`
const brandsSql = `${sql}/20261122000003_brands.sql`
/** Defines my_brand_ids anew. */
const callerSql = `${sql}/20261207000000_writes_cost_less.sql`
const members = `${sql}/20261122000004_members.sql`
const tasks = `${sql}/20261122000009_tasks.sql`
const invitations = `${sql}/20261122000016_invitations.sql`
/** Defines audit_log anew. */
const auditLog = `${sql}/20261210000000_audit_log_names.sql`
const account = `${sql}/20261122000019_account.sql`
const live = `${sql}/20261122000020_live.sql`
const alone = 'supabase/tests/proved-callers.test.ts'
const catalogue = 'supabase/tests/catalogue.test.ts'
const livesTest = 'supabase/tests/brand-lives.test.ts'
const openedTest = 'supabase/tests/opened-brands.test.ts'
const takenTest = 'supabase/tests/taken-invitations.test.ts'
const visibleTest = 'supabase/tests/visible-text.test.ts'
const functions = 'only functions that lead to the verification answer'

/** A session with only the password, of a user with a second factor. */
const passwords: readonly SecurityBreak[] = [
  {
    attack: 'an unfiltered PATCH of memberships',
    file: members,
    from: 'create policy "members call themselves as they like" on public.memberships for update to authenticated\n  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "members call themselves as they like" on public.memberships for update to authenticated\n  using (user_id = (select auth.uid()));',
    test: alone,
    title: 'with a password alone',
  },
  {
    attack: 'an unfiltered DELETE of memberships',
    file: members,
    from: 'create policy "anyone may leave" on public.memberships for delete to authenticated\n  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "anyone may leave" on public.memberships for delete to authenticated\n  using (user_id = (select auth.uid()));',
    test: alone,
    title: 'with a password alone',
    says: 'LAST_OWNER',
  },
  {
    attack: 'a policy of another form',
    file: tasks,
    from: 'create policy "members see the tasks of their brands" on public.tasks for select to authenticated\n  using (brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "members see the tasks of their brands" on public.tasks for select to authenticated\n  using (brand_id in (select private.my_brand_ids()));',
    test: catalogue,
    title: 'has one form of policy',
  },
  {
    attack: 'founding a brand',
    file: brandsSql,
    from: 'with check ((select private.session_level()) >= 1)',
    to: 'with check ((select private.session_level()) >= 0)',
    test: alone,
    title: 'no brand can be created',
  },
  {
    attack: 'brands are open to a password alone',
    file: callerSql,
    from: "f.status = 'verified') then false\n",
    to: "f.status = 'verified') then not b.requires_second_factor\n",
    test: alone,
    title: 'with a password alone',
  },
  {
    attack: 'brands that demand a second factor are open without',
    file: callerSql,
    from: '        else not b.requires_second_factor\n',
    to: '        else true\n',
    test: 'supabase/tests/second-factor.test.ts',
    title: 'nothing with a password alone, and all with both',
  },
  {
    attack: 'all functions of one’s own account',
    file: foundation,
    from: "  elsif v_level = 0 then\n    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';\n  end if;\n  return auth.uid();",
    to: '  end if;\n  return auth.uid();',
    test: alone,
    title: functions,
  },
  { attack: 'my_sessions', file: account, ...callerOf('my_sessions'), test: alone, title: functions },
  ...['end_session', 'end_other_sessions'].map((name) => ({
    attack: name,
    file: account,
    ...callerOf(name),
    test: 'supabase/tests/second-factor.test.ts',
    title: 'ends no session by',
  })),
  {
    attack: 'accept_invitations',
    file: invitations,
    from: 'private.accept_invitations_of(private.proved_caller())',
    to: 'private.accept_invitations_of(private.caller_id())',
    test: alone,
    title: functions,
  },
  {
    attack: 'export_my_data',
    file: `${sql}/20261221000200_chosen_pushes.sql`,
    from: "  if private.session_level() = 0 then\n    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';\n  end if;\n",
    to: '',
    test: alone,
    title: functions,
  },
  {
    attack: 'unopened_brands',
    file: members,
    from: 'v_caller uuid := private.proved_caller();\nbegin\n  return query\n    select m.brand_id, a.display_name',
    to: 'v_caller uuid := private.caller_id();\nbegin\n  return query\n    select m.brand_id, a.display_name',
    test: alone,
    title: functions,
  },
  {
    attack: 'live changes and topics',
    file: live,
    from: "create policy \"members hear their brand's topic\" on realtime.messages for select to authenticated\n  using ((select realtime.topic()) = any (array(select 'brand:' || b from private.my_brand_ids() b)));",
    to: "create policy \"members hear their brand's topic\" on realtime.messages for select to authenticated\n  using ((select realtime.topic()) = any (array(select 'brand:' || m.brand_id from public.memberships m where m.user_id = auth.uid())) or true);",
    test: alone,
    title: 'no live change arrives',
  },
  {
    attack: 'a function with its owner’s rights in SQL',
    file: `${sql}/20261215000000_notifications.sql`,
    from: `plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select m.brand_id, m.user_id from public.memberships m where m.brand_id = any (p_scopes)
    union all select i.id, i.user_id from private.inboxes i where i.id = any (p_scopes);
end
$$`,
    to: `sql stable security definer set search_path = ''
as $$
  select m.brand_id, m.user_id from public.memberships m where m.brand_id = any (p_scopes)
  union all select i.id, i.user_id from private.inboxes i where i.id = any (p_scopes)
$$`,
    test: catalogue,
    title: 'has no `security definer` function in language SQL',
  },
]

const brands: readonly SecurityBreak[] = [
  {
    attack: 'a deleted brand’s id is founded anew',
    file: brandsSql,
    from: '  insert into private.brand_lives (id) values (new.id) on conflict do nothing;\n  if not found then',
    to: '  insert into private.brand_lives (id) values (new.id) on conflict do nothing;\n  if false then',
    test: livesTest,
    title: 'is refused to everybody',
  },
  {
    attack: 'a brand changes its id to a deleted one’s',
    file: brandsSql,
    from: 'create trigger begin_life_of_new_id after update of id on public.brands\n  for each row when (new.id <> old.id) execute function private.begin_brand_life();',
    to: '',
    test: livesTest,
    title: 'is refused as the new id of another brand',
  },
  {
    attack: 'a line of the list of lives is taken away',
    file: brandsSql,
    from: 'create trigger keep before delete on private.brand_lives for each row execute function private.keep_brand_lives();',
    to: '',
    test: livesTest,
    title: 'is not freed',
  },
  {
    attack: 'the list of lives is emptied',
    file: brandsSql,
    from: 'create trigger keep_all before truncate on private.brand_lives for each statement execute function private.keep_brand_lives();',
    to: '',
    test: livesTest,
    title: 'is not freed',
  },
  {
    attack: 'the log of a dead brand is read by the living one',
    file: auditLog,
    from: '\n          and e.at >= (select b.founded_at from private.brand_lives b where b.id = p_brand_id)',
    to: '',
    test: livesTest,
    title: 'the log shows nothing from before',
  },
  {
    attack: 'mail of an invitation that is gone goes out',
    file: invitations,
    from: 'create trigger unsend after delete on public.invitations for each row execute function private.unsend_invitation();',
    to: '',
    test: livesTest,
    title: 'sends no mail any more',
  },
  {
    attack: 'sign-ins of somebody before they opened the brand',
    file: auditLog,
    from: ' and a.created_at >= o.opened_at\n',
    to: '\n',
    test: openedTest,
    title: 'and no earlier address',
  },
  {
    attack: 'sign-ins of sessions that have not opened the brand',
    file: auditLog,
    from: "join auth.audit_log_entries a on a.payload ->> 'session_id' = s.session_id::text",
    to: "join auth.audit_log_entries a on a.payload ->> 'actor_id' = o.user_id::text",
    test: openedTest,
    title: 'owners see the events of sessions that opened the brand only',
  },
  {
    attack: 'addresses of somebody else’s sign-ins',
    file: auditLog,
    from: 'case when o.user_id = v_caller then private.coarse_address(private.inet_or_null(a.ip_address::text)) end',
    to: 'private.coarse_address(private.inet_or_null(a.ip_address::text))',
    test: openedTest,
    title: 'the network address of their own sessions only',
  },
  {
    attack: 'a changed e-mail of somebody who has not opened the brand',
    file: members,
    from: 'case when m.opened_at is null then a.email else u.email::text end as address',
    to: 'u.email::text as address',
    test: openedTest,
    title: 'it shows nothing of their account',
  },
  {
    attack: 'being added counts as opening',
    file: members,
    from: '  insert into public.memberships (brand_id, user_id, role) values (p_brand_id, v_user, v_role) on conflict do nothing;',
    to: '  insert into public.memberships (brand_id, user_id, role, opened_at) values (p_brand_id, v_user, v_role, now()) on conflict do nothing;',
    test: openedTest,
    title: 'it shows nothing of their account',
  },
  {
    attack: 'an opening outlives the membership',
    file: members,
    from: '  primary key (brand_id, user_id, session_id),\n  foreign key (brand_id, user_id) references public.memberships on delete cascade\n',
    to: '  primary key (brand_id, user_id, session_id)\n',
    test: openedTest,
    title: 'an opening of an earlier membership',
  },
  {
    attack: 'a brand is opened by whoever is no member',
    file: members,
    from: "  perform private.assert_member(p_brand_id);\n  -- Waits for a removal of this member that is not committed yet.\n  perform from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_caller for key share;\n  if not found then\n    raise exception 'NOT_AUTHORIZED';\n  end if;\n  perform private.note_opening(p_brand_id);",
    to: '  if exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_caller) then\n    perform private.note_opening(p_brand_id);\n  end if;',
    test: openedTest,
    title: 'only members can open it',
  },
  {
    attack: 'an invited address typed by somebody else',
    file: invitations,
    from: '  if not private.proves_addresses() then\n    return;\n  end if;\n',
    to: '',
    test: takenTest,
    title: 'an unverified address joins no brand',
  },
  {
    attack: 'where only the invited sign up, whoever types the address does',
    file: invitations,
    from: '  return private.proves_addresses()\n    and exists (',
    to: '  return exists (',
    test: takenTest,
    title: 'an unverified address joins no brand',
  },
  {
    attack: 'a server that does not say so proves addresses',
    file: invitations,
    from: "coalesce(s.settings ->> 'proves_addresses', '') = 'true'",
    to: "coalesce(s.settings ->> 'proves_addresses', 'true') = 'true'",
    test: takenTest,
    title: 'an unverified address joins no brand',
  },
  {
    attack: 'an invitation’s link lets somebody with another address in',
    file: invitations,
    from: 'i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and',
    to: 'i.id = p_id and u.id = p_user_id and u.deleted_at is null and',
    test: takenTest,
    title: 'the link makes the account of its address a member, once',
  },
  {
    attack: 'an invitation’s link that is late',
    file: invitations,
    from: 'i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i)\n  returning',
    to: 'i.email = lower(u.email) and private.is_still_offered(i)\n  returning',
    test: takenTest,
    title: 'an expired link',
  },
  {
    attack: 'an invitation outlives its inviter’s membership',
    file: invitations,
    from: 'create trigger end_invitations_when_leaving after delete on public.memberships\n  for each row execute function private.end_invitations();',
    to: '',
    test: takenTest,
    title: 'who is removed',
  },
  {
    attack: 'an invitation outlives its inviter’s role',
    file: invitations,
    from: 'create trigger end_invitations_when_demoted after update of role on public.memberships\n  for each row when (new.role <> old.role) execute function private.end_invitations();',
    to: '',
    test: takenTest,
    title: 'who is demoted',
  },
  {
    attack: 'an invitation sent at the same time as the removal',
    file: invitations,
    from: '  return p_invitation.invited_by is null or exists (',
    to: '  return true or exists (',
    test: takenTest,
    title: 'at the same time as the removal',
  },
  {
    attack: 'an invitation to an address with an invisible character',
    file: foundation,
    from: '  if private.has_invisible(p_email) then\n',
    to: '  if false then\n',
    test: takenTest,
    title: 'is refused for an address with an invisible character',
  },
  {
    attack: 'a member is added by an address with an invisible character',
    file: members,
    from: '  perform private.assert_no_invisible(p_email);\n',
    to: '',
    test: openedTest,
    title: 'an address with an invisible character',
  },
  {
    attack: 'two brands that look the same',
    file: brandsSql,
    from: "    regexp_replace(lower(new.name), '[' || private.invisible_characters() || ']', '', 'g'), '[^[:alnum:]]+', '-', 'g');",
    to: "    lower(new.name), '[^[:alnum:]]+', '-', 'g');",
    test: visibleTest,
    title: 'with names that look the same are refused',
  },
  {
    attack: 'a person is called what looks like another one',
    file: members,
    from: '    private.clean_display_name(new.display_name),\n',
    to: '    private.name_or_null(new.display_name),\n',
    test: visibleTest,
    title: 'a display name',
  },
  {
    attack: 'a name without visible characters',
    file: foundation,
    from: "  select case when p_text is not null then coalesce(private.name_or_null(p_text), '') end",
    to: '  select private.trimmed(p_text)',
    test: visibleTest,
    title: 'a name without visible characters',
  },
]

/** What the product's SQL decides about brands and members. */
export const breaksOfBrands: readonly SecurityBreak[] = [...passwords, ...brands]

function callerOf(name: string): { from: string; to: string } {
  const heads: Record<string, string> = {
    my_sessions: 'v_caller uuid := private.proved_caller();\n  v_session uuid',
    end_session:
      "create function public.end_session(p_id uuid) returns void\nlanguage plpgsql volatile security definer set search_path = ''\nas $$\ndeclare\n  v_caller uuid := private.proved_caller();",
    end_other_sessions: 'v_caller uuid := private.proved_caller();\n  v_ended integer;',
  }
  const from = heads[name] ?? ''
  return { from, to: from.replace('private.proved_caller()', 'private.caller_id()') }
}

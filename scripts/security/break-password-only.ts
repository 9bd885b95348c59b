import type { SecurityBreak } from './break.ts'

const sql = 'supabase/migrations'
const foundation = `${sql}/20261122000001_foundation.sql`
const brandsSql = `${sql}/20261122000003_brands.sql`
/** The migration with the last definition of my_brand_ids. */
const myBrandIdsFile = `${sql}/20261207000000_writes_cost_less.sql`
const members = `${sql}/20261122000004_members.sql`
const tasks = `${sql}/20261122000009_tasks.sql`
const invitations = `${sql}/20261122000016_invitations.sql`
const account = `${sql}/20261122000019_account.sql`
const live = `${sql}/20261122000020_live.sql`
const alone = 'supabase/tests/proved-callers.test.ts'
const catalogue = 'supabase/tests/catalogue.test.ts'
const functions = 'only functions that lead to the verification of a required factor work with a password alone'

/** Breaks of the defences against a session that has given only the password, although the user has a second factor. */
export const breaksOfPasswordOnly: readonly SecurityBreak[] = [
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
    failureText: 'LAST_OWNER',
  },
  {
    attack: 'a policy of another form',
    file: tasks,
    from: 'create policy "members see the tasks of their brands" on public.tasks for select to authenticated\n  using (brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "members see the tasks of their brands" on public.tasks for select to authenticated\n  using (brand_id in (select private.my_brand_ids()));',
    test: catalogue,
    title: 'all policies have one form: they compare a brand with the brands of the caller, which one function returns',
  },
  {
    attack: 'founding a brand',
    file: brandsSql,
    from: 'with check ((select private.session_level()) >= 1)',
    to: 'with check ((select private.session_level()) >= 0)',
    test: alone,
    title: 'no brand can be created with a password alone, if a factor is required',
  },
  {
    attack: 'brands are open to a password alone',
    file: myBrandIdsFile,
    from: "f.status = 'verified') then false\n",
    to: "f.status = 'verified') then not b.requires_second_factor\n",
    test: alone,
    title: 'with a password alone',
  },
  {
    attack: 'brands that require a second factor are open without one',
    file: myBrandIdsFile,
    from: '        else not b.requires_second_factor\n',
    to: '        else true\n',
    test: 'supabase/tests/second-factor.test.ts',
    title: 'nothing with a password alone, and everything with both factors',
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
    file: 'supabase/migrations/20261219000100_calendar_feed.sql',
    ...callerOf(name),
    test: 'supabase/tests/second-factor.test.ts',
    title: 'cannot end a session by',
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
    title: 'no `security definer` function is written in language SQL',
  },
]

function callerOf(name: string): { from: string; to: string } {
  const heads: Record<string, string> = {
    my_sessions: 'v_caller uuid := private.proved_caller();\n  v_session uuid',
    end_session:
      "create or replace function public.end_session(p_id uuid) returns void\nlanguage plpgsql volatile security definer set search_path = ''\nas $$\ndeclare\n  v_caller uuid := private.proved_caller();",
    end_other_sessions: 'v_caller uuid := private.proved_caller();\n  v_ended integer;',
  }
  const from = heads[name] ?? ''
  return { from, to: from.replace('private.proved_caller()', 'private.caller_id()') }
}

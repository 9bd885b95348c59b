import type { SecurityBreak } from './break.ts'

const migrationsFolder = 'supabase/migrations'
const foundationSql = `${migrationsFolder}/20261122000001_foundation.sql`
const brandsSql = `${migrationsFolder}/20261122000003_brands.sql`
/** The migration with the last definition of my_brand_ids. */
const myBrandIdsSql = `${migrationsFolder}/20261207000000_writes_cost_less.sql`
const membersSql = `${migrationsFolder}/20261122000004_members.sql`
const tasksSql = `${migrationsFolder}/20261122000009_tasks.sql`
const invitationsSql = `${migrationsFolder}/20261122000016_invitations.sql`
const accountSql = `${migrationsFolder}/20261122000019_account.sql`
const liveSql = `${migrationsFolder}/20261122000020_live.sql`
const provedCallersTest = 'supabase/tests/proved-callers.test.ts'
const catalogueTest = 'supabase/tests/catalogue.test.ts'
const functionsTestTitle =
  'only functions that lead to the verification of a required factor work with a password alone'

/** Breaks of the defences against a session that has given only the password, although the user has a second factor. */
export const breaksOfPasswordOnly: readonly SecurityBreak[] = [
  {
    attack: 'an unfiltered PATCH of memberships with a password alone',
    file: membersSql,
    from: 'create policy "members call themselves as they like" on public.memberships for update to authenticated\n  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "members call themselves as they like" on public.memberships for update to authenticated\n  using (user_id = (select auth.uid()));',
    test: provedCallersTest,
    title: 'with a password alone',
  },
  {
    attack: 'an unfiltered DELETE of memberships with a password alone',
    file: membersSql,
    from: 'create policy "anyone may leave" on public.memberships for delete to authenticated\n  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "anyone may leave" on public.memberships for delete to authenticated\n  using (user_id = (select auth.uid()));',
    test: provedCallersTest,
    title: 'with a password alone',
    failureText: 'LAST_OWNER',
  },
  {
    attack: 'a policy has another form than all others',
    file: tasksSql,
    from: 'create policy "members see the tasks of their brands" on public.tasks for select to authenticated\n  using (brand_id = any (array(select private.my_brand_ids())));',
    to: 'create policy "members see the tasks of their brands" on public.tasks for select to authenticated\n  using (brand_id in (select private.my_brand_ids()));',
    test: catalogueTest,
    title: 'all policies have one form: they compare a brand with the brands of the caller, which one function returns',
  },
  {
    attack: 'a brand is created with a password alone',
    file: brandsSql,
    from: 'with check ((select private.session_level()) >= 1)',
    to: 'with check ((select private.session_level()) >= 0)',
    test: provedCallersTest,
    title: 'no brand can be created with a password alone, if a factor is required',
  },
  {
    attack: 'brands are open to a password alone',
    file: myBrandIdsSql,
    from: "f.status = 'verified') then false\n",
    to: "f.status = 'verified') then not b.requires_second_factor\n",
    test: provedCallersTest,
    title: 'with a password alone',
  },
  {
    attack: 'brands that require a second factor are open without one',
    file: myBrandIdsSql,
    from: '        else not b.requires_second_factor\n',
    to: '        else true\n',
    test: 'supabase/tests/second-factor.test.ts',
    title: 'nothing with a password alone, and everything with both factors',
  },
  {
    attack: 'all functions about the caller’s account work with a password alone',
    file: foundationSql,
    from: "  elsif v_level = 0 then\n    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';\n  end if;\n  return auth.uid();",
    to: '  end if;\n  return auth.uid();',
    test: provedCallersTest,
    title: functionsTestTitle,
  },
  {
    attack: 'my_sessions works with a password alone',
    file: accountSql,
    ...proofRemovedFrom('my_sessions'),
    test: provedCallersTest,
    title: functionsTestTitle,
  },
  ...['end_session', 'end_other_sessions'].map((name) => ({
    attack: `${name} works with a password alone`,
    file: 'supabase/migrations/20261219000100_calendar_feed.sql',
    ...proofRemovedFrom(name),
    test: 'supabase/tests/second-factor.test.ts',
    title: 'cannot end a session by',
  })),
  {
    attack: 'accept_invitations works with a password alone',
    file: invitationsSql,
    from: 'private.accept_invitations_of(private.proved_caller())',
    to: 'private.accept_invitations_of(private.caller_id())',
    test: provedCallersTest,
    title: functionsTestTitle,
  },
  {
    attack: 'export_my_data works with a password alone',
    file: `${migrationsFolder}/20261221000200_chosen_pushes.sql`,
    from: "  if private.session_level() = 0 then\n    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';\n  end if;\n",
    to: '',
    test: provedCallersTest,
    title: functionsTestTitle,
  },
  {
    attack: 'unopened_brands works with a password alone',
    file: membersSql,
    from: 'v_caller uuid := private.proved_caller();\nbegin\n  return query\n    select m.brand_id, a.display_name',
    to: 'v_caller uuid := private.caller_id();\nbegin\n  return query\n    select m.brand_id, a.display_name',
    test: provedCallersTest,
    title: functionsTestTitle,
  },
  {
    attack: 'live changes and topics are open to a password alone',
    file: liveSql,
    from: "create policy \"members hear their brand's topic\" on realtime.messages for select to authenticated\n  using ((select realtime.topic()) = any (array(select 'brand:' || b from private.my_brand_ids() b)));",
    to: "create policy \"members hear their brand's topic\" on realtime.messages for select to authenticated\n  using ((select realtime.topic()) = any (array(select 'brand:' || m.brand_id from public.memberships m where m.user_id = auth.uid())) or true);",
    test: provedCallersTest,
    title: 'no live change arrives',
  },
  {
    attack: 'a `security definer` function is written in language SQL',
    file: `${migrationsFolder}/20261215000000_notifications.sql`,
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
    test: catalogueTest,
    title: 'no `security definer` function is written in language SQL',
  },
]

/** Returns a change after which this function accepts a caller who has not proved the second factor. */
function proofRemovedFrom(name: string): { from: string; to: string } {
  const declarations: Record<string, string> = {
    my_sessions: 'v_caller uuid := private.proved_caller();\n  v_session uuid',
    end_session:
      "create or replace function public.end_session(p_id uuid) returns void\nlanguage plpgsql volatile security definer set search_path = ''\nas $$\ndeclare\n  v_caller uuid := private.proved_caller();",
    end_other_sessions: 'v_caller uuid := private.proved_caller();\n  v_ended integer;',
  }
  const from = declarations[name] ?? ''
  return { from, to: from.replace('private.proved_caller()', 'private.caller_id()') }
}

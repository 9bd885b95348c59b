-- One helper says which brands are the caller's, with the role as its parameter; everything that asks for rights asks it.
-- Functions that run with their owner's rights are written in PL/pgSQL: it keeps plans, while PostgreSQL before 18 plans a
-- function in SQL anew at every call. (A function in SQL that melts into its caller has neither `security definer` nor `set`.)

-- Policies hang on the helpers that go: all of ours for signed-in people are made anew in 20261124100020_policies. A table
-- that somebody else has put beside ours keeps its own.
do $$
declare
  v_policy record;
begin
  for v_policy in
    select p.policyname, format('%I.%I', p.schemaname, p.tablename) as relation from pg_policies p
    where p.schemaname = 'public' and p.roles = '{authenticated}' and p.tablename in (
        'brands', 'memberships', 'deal_stages', 'companies', 'contacts', 'deals', 'deal_stage_changes', 'tasks', 'invitations'
      )
      or p.schemaname = 'realtime' and p.policyname in ('members hear their brand''s topic', 'members talk in their brand''s topic')
  loop
    execute format('drop policy %I on %s', v_policy.policyname, v_policy.relation);
  end loop;
end
$$;
drop function private.my_brand_ids();
drop function private.my_led_brand_ids();
drop function private.my_owned_brand_ids();
drop function private.has_two_factors();

-- How well the caller's session is proved. 2: two factors (the token says so, and the session's row too: the factor is still
-- there). 1: a password, and there is nothing more to prove. 0: a factor is still to come. Null: no session lives behind
-- the token; a token outlives its session by up to an hour, so a sign-out, or a removed account, counts at once.
create or replace function private.session_level() returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
  v_level integer;
begin
  select case
    when s.aal::text in ('aal2', 'aal3') and v_claims ->> 'aal' in ('aal2', 'aal3') then 2
    when exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified') then 0
    else 1
  end into v_level
  from auth.sessions s
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = (v_claims ->> 'sub')::uuid
    and (s.not_after is null or s.not_after > now());
  return v_level;
end
$$;

-- The brands in which the caller has at least this role (member, admin, owner), as far as they are open to this session: it
-- lives, and is proved as well as the person's own factors and the brand's demand ask. Policies ask it once a statement:
-- `brand_id = any (array(select private.my_brand_ids('admin')))`; any other form is evaluated once a row. It says for itself
-- what session_level() says: nearly every statement asks it, and a call more and a second reading of the claims show in each.
create function private.my_brand_ids(p_role text default 'member') returns setof uuid
language plpgsql stable security definer set search_path = '' rows 10
as $$
declare
  v_claims jsonb := auth.jwt();
  v_user uuid := (v_claims ->> 'sub')::uuid;
  v_roles text[] := case p_role
    when 'member' then array['member', 'admin', 'owner'] when 'admin' then array['admin', 'owner'] when 'owner' then array['owner']
  end;
  v_level integer;
begin
  select case
    when s.aal::text in ('aal2', 'aal3') and v_claims ->> 'aal' in ('aal2', 'aal3') then 2
    when exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified') then 0
    else 1
  end into v_level
  from auth.sessions s
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = v_user
    and (s.not_after is null or s.not_after > now());
  if v_level >= 1 then
    return query
      select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
      where m.user_id = v_user and m.role = any (v_roles) and (v_level = 2 or not b.requires_second_factor);
  end if;
end
$$;

-- Who calls: the user of the token while the session behind it lives, else null. How well it is proved is another matter.
create or replace function private.caller_id() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.session_level() is null then
    return null;
  end if;
  return auth.uid();
end
$$;

create or replace function private.is_service() returns boolean
language plpgsql stable
as $$
begin
  return coalesce(auth.role() = 'service_role', false);
end
$$;

-- For what is about the caller alone: who calls, where the session is proved as well as it can be. A password by itself opens
-- nothing of somebody who has a second factor. Raises NOT_AUTHORIZED, SECOND_FACTOR_REQUIRED.
create function private.proved_caller() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_level integer := private.session_level();
begin
  if v_level is null then
    raise exception 'NOT_AUTHORIZED';
  elsif v_level = 0 then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
  return auth.uid();
end
$$;

-- For functions that go past row security: whoever has not this role is refused before anything is read. Raises
-- SECOND_FACTOR_REQUIRED to members who have yet to prove one, NOT_AUTHORIZED to everybody else: a device that hears the
-- latter forgets the brand.
-- Searches plan their own statements anew at each call; the few of these need not be.
create function private.assert_role(p_brand_id uuid, p_role text) returns void
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  if private.is_service() or p_brand_id = any (array(select private.my_brand_ids(p_role))) then
    return;
  end if;
  perform private.assert_session();
  if exists (
    select from public.memberships m join public.brands b on b.id = m.brand_id
    where m.brand_id = p_brand_id and m.user_id = private.caller_id()
      and private.session_level() < case when b.requires_second_factor then 2 else 1 end
  ) then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
  raise exception 'NOT_AUTHORIZED';
end
$$;

create or replace function private.assert_member(p_brand_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, 'member');
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.my_brand_ids(text), private.session_level() to authenticated, service_role;

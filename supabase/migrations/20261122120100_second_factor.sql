-- A brand can demand a second factor: then all of it is closed to whoever has proved only a password. The demand stands in
-- the helpers that every policy and every function asks.

alter table public.brands add column requires_second_factor boolean not null default false;

-- Whether this session has proved a second factor: its token says so, and the factor is still there.
create function private.has_two_factors() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from auth.sessions s
    where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid()
      and s.aal::text in ('aal2', 'aal3') and auth.jwt() ->> 'aal' in ('aal2', 'aal3')
  )
$$;

create or replace function private.my_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = private.caller_id() and (not b.requires_second_factor or private.has_two_factors())
$$;

create or replace function private.my_led_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = private.caller_id() and m.role in ('admin', 'owner')
    and (not b.requires_second_factor or private.has_two_factors())
$$;

create or replace function private.my_owned_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = private.caller_id() and m.role = 'owner'
    and (not b.requires_second_factor or private.has_two_factors())
$$;

-- Raises SECOND_FACTOR_REQUIRED to members who have yet to prove one, NOT_AUTHORIZED to everybody else: a device that hears
-- the latter forgets the brand.
create or replace function private.assert_member(p_brand_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_demand boolean;
begin
  if private.is_service() then
    return;
  end if;
  select b.requires_second_factor into v_demand
  from public.memberships m join public.brands b on b.id = m.brand_id
  where m.brand_id = p_brand_id and m.user_id = private.caller_id();
  if not found then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if v_demand and not private.has_two_factors() then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
end
$$;

-- Sets or lifts the demand. Owners alone, and only one who has proved a second factor in this session: so nobody closes a
-- brand to themselves. (Who loses the last factor later enrols a new one, which the password allows then.)
create function public.require_second_factor(p_brand_id uuid, p_required boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not private.is_service() then
    if not exists (
      select from public.memberships m
      where m.brand_id = p_brand_id and m.user_id = private.caller_id() and m.role = 'owner'
    ) then
      raise exception 'NOT_AUTHORIZED';
    end if;
    if not private.has_two_factors() then
      raise exception 'SECOND_FACTOR_REQUIRED';
    end if;
  end if;
  update public.brands b set requires_second_factor = coalesce(p_required, false)
  where b.id = p_brand_id and b.requires_second_factor <> coalesce(p_required, false);
end
$$;

-- The caller's brands that are closed to this session, so that a screen can say why. `has_factor`: there is one to prove;
-- without one, it has to be enrolled first.
create function public.brands_behind_second_factor() returns table (id uuid, name text, has_factor boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
begin
  return query
    select b.id, b.name::text,
      exists (select from auth.mfa_factors f where f.user_id = v_caller and f.status::text = 'verified')
    from public.memberships m join public.brands b on b.id = m.brand_id
    where m.user_id = v_caller and b.requires_second_factor and not private.has_two_factors()
    order by b.name;
end
$$;

-- Anew, so that it asks for the second factor as well, and for how often this caller has met an unknown address.
create table private.unknown_addresses (
  user_id uuid not null,
  at timestamptz not null,
  n integer not null default 1,
  primary key (user_id, at)
);

create function private.asks_too_often(p_user uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(u.n), 0) >= 30 from private.unknown_addresses u
  where u.user_id = p_user and u.at > now() - interval '1 minute'
$$;

-- The bundled server tells what an RPC has raised, in a transaction of its own: what is counted inside of the refused one is
-- gone with it. True: too many; it answers 429 in place of the refusal.
create function private.on_refusal(p_user uuid, p_message text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_message is distinct from 'USER_NOT_FOUND' or p_user is null then
    return false;
  end if;
  -- One at a time: of a hundred at once no more than thirty pass.
  perform pg_advisory_xact_lock(hashtextextended('unknown address ' || p_user, 0));
  if private.asks_too_often(p_user) then
    return true;
  end if;
  insert into private.unknown_addresses as u (user_id, at) values (p_user, date_trunc('second', now()))
  on conflict (user_id, at) do update set n = u.n + 1;
  delete from private.unknown_addresses u where u.user_id = p_user and u.at < now() - interval '1 hour';
  return false;
end
$$;

create or replace function public.add_brand_member_by_email(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_role text := coalesce(p_role, 'member');
  v_mine text;
  v_user uuid;
begin
  perform private.assert_member(p_brand_id);
  select m.role into v_mine from public.memberships m
  where m.brand_id = p_brand_id and m.user_id = private.caller_id();
  if not private.is_service() and (v_mine is null or v_mine = 'member' or (v_role = 'owner' and v_mine <> 'owner')) then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if private.asks_too_often(private.caller_id()) then
    raise exception 'Too many unknown addresses. Try again in a minute.' using errcode = 'PT429';
  end if;
  select u.id into v_user from auth.users u
  where u.email = lower(private.trimmed(p_email)) and u.email_confirmed_at is not null and u.deleted_at is null;
  if not found then
    raise exception 'USER_NOT_FOUND';
  end if;
  insert into public.memberships (brand_id, user_id, role) values (p_brand_id, v_user, v_role) on conflict do nothing;
  if not found then
    raise exception 'ALREADY_MEMBER';
  end if;
  return v_user;
end
$$;

revoke all on private.unknown_addresses from public, anon, authenticated;
revoke execute on function private.has_two_factors(), private.asks_too_often(uuid), private.on_refusal(uuid, text) from public;
revoke execute on function public.require_second_factor(uuid, boolean), public.brands_behind_second_factor()
  from public, anon, authenticated;
grant execute on function public.require_second_factor(uuid, boolean), public.brands_behind_second_factor() to authenticated, service_role;

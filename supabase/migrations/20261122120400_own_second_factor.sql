-- Whoever has a second factor is asked for it, whatever the brand demands: with their password alone nobody sees a row of
-- any of their brands. Otherwise a stolen password would only have to go past the screens.

-- 2: two factors are proved in this session. 1: a password, and there is nothing more to prove. 0: a factor is still to come.
create function private.session_level() returns integer
language sql stable security definer set search_path = ''
as $$
  select case
    when private.has_two_factors() then 2
    when exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified') then 0
    else 1
  end
$$;

create or replace function private.my_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = private.caller_id()
    and (select private.session_level()) >= case when b.requires_second_factor then 2 else 1 end
$$;

create or replace function private.my_led_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = private.caller_id() and m.role in ('admin', 'owner')
    and (select private.session_level()) >= case when b.requires_second_factor then 2 else 1 end
$$;

create or replace function private.my_owned_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = private.caller_id() and m.role = 'owner'
    and (select private.session_level()) >= case when b.requires_second_factor then 2 else 1 end
$$;

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
  if private.session_level() < (case when v_demand then 2 else 1 end) then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
end
$$;

create or replace function public.brands_behind_second_factor() returns table (id uuid, name text, has_factor boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_level integer := private.session_level();
begin
  return query
    select b.id, b.name::text, v_level = 0
    from public.memberships m join public.brands b on b.id = m.brand_id
    where m.user_id = v_caller and v_level < case when b.requires_second_factor then 2 else 1 end
    order by b.name;
end
$$;

-- The export too: it names phones and places.
alter function public.export_my_data() rename to collect_my_data;
alter function public.collect_my_data() set schema private;

create function public.export_my_data() returns json
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if private.caller_id() is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if private.session_level() = 0 then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
  return private.collect_my_data();
end
$$;

revoke execute on function private.session_level() from public;
revoke execute on function private.collect_my_data() from public, anon, authenticated;
revoke execute on function public.export_my_data() from public, anon, authenticated;
grant execute on function public.export_my_data() to authenticated;

-- Anyone can found brands, and add anybody with an account to them. These limits and this call keep a stranger from burdening a person with brands.

-- The numbers of brands that users founded, by hour. The hours that began in the last 25 hours count.
create table private.brands_founded (
  user_id uuid not null references auth.users on delete cascade,
  hour timestamptz not null,
  n integer not null default 1,
  primary key (user_id, hour)
);
alter table private.brands_founded enable row level security;
revoke all on private.brands_founded from public, anon, authenticated, service_role;

-- Refuses the 1,001st brand that a user founds within 24 hours. Raises PT429.
create function private.limit_founding() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit constant integer := 1000;
  v_founder uuid := private.caller_id();
begin
  if v_founder is null then
    return new;
  end if;
  insert into private.brands_founded as f (user_id, hour) values (v_founder, date_trunc('hour', now()))
  on conflict (user_id, hour) do update set n = f.n + 1;
  delete from private.brands_founded f where f.user_id = v_founder and f.hour <= now() - interval '25 hours';
  if (select sum(f.n) > v_limit from private.brands_founded f where f.user_id = v_founder) then
    raise sqlstate 'PT429' using message = 'You have created 1,000 brands within 24 hours. Try again later.';
  end if;
  return new;
end
$$;
create trigger limit_founding before insert on public.brands for each row execute function private.limit_founding();

-- A caller can add the same person to 500 brands that this person has not opened. Refuses the next one with PT429.
create function private.limit_unopened() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit constant integer := 500;
  v_caller uuid := private.caller_id();
begin
  if v_caller is null or v_caller = new.user_id then
    return new;
  end if;
  -- Simultaneous requests take turns, so that no more than the limit pass.
  perform pg_advisory_xact_lock(hashtextextended(format('unopened brands %s %s', v_caller, new.user_id), 0));
  if (
    select count(*) >= v_limit from public.memberships m
    where m.user_id = new.user_id and m.created_by = v_caller and m.opened_at is null
  ) then
    raise sqlstate 'PT429' using message = 'You have added this person to 500 brands that they have not opened. Ask them to open or leave some first.';
  end if;
  return new;
end
$$;
create trigger limit_unopened before insert on public.memberships
  for each row when (new.opened_at is null) execute function private.limit_unopened();

-- Makes another member the owner in place of this one, who becomes a member: one who has opened the brand before one who has not, an admin before a
-- member, then the earliest one. Returns the id of the owner. Without another member, deletes the brand and returns null. If there is another owner,
-- changes nothing and returns their id. Raises LAST_OWNER if the last owner has opened the brand.
create function private.replace_owner(p_brand_id uuid, p_user_id uuid) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_owner uuid;
begin
  -- Locked in the order of their users, so that two owners who give up at once do not deadlock.
  perform from public.memberships m
  where m.brand_id = p_brand_id and (m.user_id = p_user_id or m.role = 'owner')
  order by m.user_id for no key update;
  -- A member who is chosen can leave before the lock is granted. Then another one is chosen.
  loop
    select m.user_id into v_owner from public.memberships m
    where m.brand_id = p_brand_id and m.user_id <> p_user_id
    order by m.role <> 'owner', m.opened_at is null, m.role <> 'admin', m.created_at, m.user_id
    limit 1 for no key update;
    exit when found or not exists (
      select from public.memberships m where m.brand_id = p_brand_id and m.user_id <> p_user_id
    );
  end loop;
  if exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_owner and m.role = 'owner') then
    return v_owner;
  end if;
  -- Checked after the lock: the owner may have opened the brand meanwhile.
  if not exists (
    select from public.memberships m
    where m.brand_id = p_brand_id and m.user_id = p_user_id and m.role = 'owner' and m.opened_at is null
  ) then
    raise exception 'LAST_OWNER' using errcode = 'BY001', detail = 'A brand keeps at least one owner.';
  end if;
  if v_owner is null then
    delete from public.brands b where b.id = p_brand_id;
  else
    update public.memberships m set role = 'owner' where m.brand_id = p_brand_id and m.user_id = v_owner;
    update public.memberships m set role = 'member' where m.brand_id = p_brand_id and m.user_id = p_user_id;
  end if;
  return v_owner;
end
$$;

-- A person who was made the last owner of a brand that they have never opened can give it up (replace_owner), without the second factor that the brand
-- may demand. Returns the id of the owner, or null if the brand is deleted. If there is another owner, changes nothing. Raises NOT_AUTHORIZED if the
-- caller is not an owner, and LAST_OWNER if the last owner has opened the brand.
create function public.give_up_unopened_brand(p_brand_id uuid) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  if not exists (
    select from public.memberships m
    where m.brand_id = p_brand_id and m.user_id = v_caller and m.role = 'owner' and m.opened_at is null
  ) then
    perform private.assert_role(p_brand_id, 'owner');
  end if;
  return private.replace_owner(p_brand_id, v_caller);
end
$$;

-- Before the caller deletes their account: the brands whose last owner they are without having ever opened them, to be given up one by one
-- (give_up_unopened_brand). If the caller is the last owner of a brand that they have opened, raises LAST_OWNER with these brands in the detail, as
-- delete_my_account.
create function public.last_unopened_brands() returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_last uuid[];
  v_opened jsonb;
begin
  v_last := array(
    select m.brand_id from public.memberships m
    where m.user_id = v_caller and m.role = 'owner' and not exists (
      select from public.memberships o where o.brand_id = m.brand_id and o.role = 'owner' and o.user_id <> v_caller
    )
    order by m.brand_id
  );
  select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name) order by b.name) into v_opened
  from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = v_caller and m.brand_id = any (v_last) and m.opened_at is not null;
  if v_opened is not null then
    raise exception 'LAST_OWNER' using errcode = 'BY001', detail = v_opened::text;
  end if;
  return v_last;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.give_up_unopened_brand(uuid), public.last_unopened_brands() from public, anon, authenticated;
grant execute on function public.give_up_unopened_brand(uuid), public.last_unopened_brands() to authenticated;

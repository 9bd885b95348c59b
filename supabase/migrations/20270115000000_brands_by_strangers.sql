-- Anyone can found brands, and add anybody with an account to them. These limits and this call keep a stranger from burdening a person with brands.

-- The numbers of brands that users founded, by hour. Rows of the last 24 hours count.
create table private.brands_founded (
  user_id uuid not null references auth.users on delete cascade,
  hour timestamptz not null,
  n integer not null default 1,
  primary key (user_id, hour)
);
revoke all on private.brands_founded from public, anon, authenticated;

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
  delete from private.brands_founded f where f.user_id = v_founder and f.hour <= now() - interval '24 hours';
  if (select sum(f.n) > v_limit from private.brands_founded f where f.user_id = v_founder) then
    raise sqlstate 'PT429' using message = 'You have created 1,000 brands within 24 hours. Try again later.';
  end if;
  return new;
end
$$;
create trigger limit_founding before insert on public.brands for each row execute function private.limit_founding();

-- Refuses to add somebody who has not opened 500 other brands to which the same caller has added them. Raises PT429.
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

-- A person who was made the last owner of a brand that they have never opened can give this up, without the second factor that the brand may demand:
-- the caller becomes a member, and another member becomes the owner: one who has opened the brand before one who has not, an admin before a member,
-- then the earliest one. Returns the id of the owner. Without another member, deletes the brand and returns null. If there is another
-- owner, changes nothing and returns their id. Raises NOT_AUTHORIZED if the caller is not an owner, and LAST_OWNER if the last owner has opened the brand.
create function public.give_up_unopened_brand(p_brand_id uuid) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_is_unopened boolean;
  v_owner uuid;
begin
  -- Locked in the order of their users, so that two owners who call it at once do not deadlock.
  perform from public.memberships m
  where m.brand_id = p_brand_id and (m.user_id = v_caller or m.role = 'owner')
  order by m.user_id for no key update;
  v_is_unopened := exists (
    select from public.memberships m
    where m.brand_id = p_brand_id and m.user_id = v_caller and m.role = 'owner' and m.opened_at is null
  );
  if not v_is_unopened then
    perform private.assert_role(p_brand_id, 'owner');
  end if;
  -- A member who is chosen can leave before the lock is granted. Then another one is chosen.
  loop
    select m.user_id into v_owner from public.memberships m
    where m.brand_id = p_brand_id and m.user_id <> v_caller
    order by m.role <> 'owner', m.opened_at is null, m.role <> 'admin', m.created_at, m.user_id
    limit 1 for no key update;
    exit when found or not exists (
      select from public.memberships m where m.brand_id = p_brand_id and m.user_id <> v_caller
    );
  end loop;
  if exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_owner and m.role = 'owner') then
    return v_owner;
  end if;
  if not v_is_unopened then
    raise exception 'LAST_OWNER' using errcode = 'BY001', detail = 'A brand keeps at least one owner.';
  elsif v_owner is null then
    delete from public.brands b where b.id = p_brand_id;
    return null;
  end if;
  update public.memberships m set role = 'owner' where m.brand_id = p_brand_id and m.user_id = v_owner;
  update public.memberships m set role = 'member' where m.brand_id = p_brand_id and m.user_id = v_caller;
  return v_owner;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.give_up_unopened_brand(uuid) from public, anon, authenticated;
grant execute on function public.give_up_unopened_brand(uuid) to authenticated;

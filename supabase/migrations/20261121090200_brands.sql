-- Brands, and who belongs to them. Everything else hangs on a brand's id and is seen through a membership.

create table public.brands (
  id uuid primary key default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 200),
  slug text not null,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  constraint brands_slug_key unique (slug)
);

create table public.memberships (
  brand_id uuid not null references public.brands on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  role text not null default 'member' check (role in ('member', 'admin', 'owner')),
  display_name text collate "und-x-icu" not null check (display_name <> '' and length(display_name) <= 200),
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, user_id)
);
create index memberships_by_user_idx on public.memberships (user_id, brand_id);

-- The brands of the caller. Policies ask it once a statement: `brand_id = any (array(select private.my_brand_ids()))`; any
-- other form is evaluated once a row.
create function private.my_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m where m.user_id = private.caller_id()
$$;

-- The brands that the caller leads: as admin or owner.
create function private.my_led_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m where m.user_id = private.caller_id() and m.role in ('admin', 'owner')
$$;

create function private.my_owned_brand_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.brand_id from public.memberships m where m.user_id = private.caller_id() and m.role = 'owner'
$$;

-- For functions that go past row security: whoever is no member is refused before anything is read.
create function private.assert_member(p_brand_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_service() then
    return;
  end if;
  if not exists (
    select from public.memberships m where m.brand_id = p_brand_id and m.user_id = private.caller_id()
  ) then
    raise exception 'NOT_AUTHORIZED';
  end if;
end
$$;

-- The slug is the name lowercased, with one hyphen for each run of what is neither letter nor digit in any script. Whatever
-- the client sent: the two languages' idea of a letter differs.
create function private.tidy_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := coalesce(private.trimmed(new.name), '');
  new.slug := regexp_replace(lower(new.name), '[^[:alnum:]]+', '-', 'g');
  return new;
end
$$;
create trigger tidy before insert or update on public.brands for each row execute function private.tidy_brand();

-- A member is called by the local part of the e-mail until they say otherwise.
create function private.tidy_membership() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.display_name := coalesce(
    private.trimmed(new.display_name),
    (select private.trimmed(left(split_part(u.email, '@', 1), 200)) from auth.users u where u.id = new.user_id),
    'Member'
  );
  return new;
end
$$;
create trigger tidy before insert or update on public.memberships for each row execute function private.tidy_membership();

-- Who makes a brand owns it. (Its default stages come with the chapter of deal stages.)
create function private.own_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    insert into public.memberships (brand_id, user_id, role) values (new.id, auth.uid(), 'owner');
  end if;
  return null;
end
$$;
create trigger own_brand after insert on public.brands for each row execute function private.own_brand();

-- Policies decide by row; what a caller may change of a membership also depends on the column. It runs with the caller's
-- rights, so that functions of the owner are not held up.
create function private.guard_membership() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if current_user <> 'authenticated' then
    return new;
  end if;
  if new.role <> old.role and old.user_id = auth.uid() then
    raise exception 'NOT_AUTHORIZED' using detail = 'Nobody changes their own role.';
  end if;
  if new.display_name is distinct from old.display_name and old.user_id <> auth.uid() then
    raise exception 'NOT_AUTHORIZED' using detail = 'A display name is one''s own to change.';
  end if;
  return new;
end
$$;
create trigger guard before update on public.memberships for each row execute function private.guard_membership();

-- The last owner stays. After the change, so that one statement over several owners is judged as a whole; the lock on the
-- brand makes two requests that each remove another owner take turns.
create function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.brands b where b.id = old.brand_id for no key update;
  -- No brand any more: it goes as a whole.
  if found and not exists (
    select from public.memberships m where m.brand_id = old.brand_id and m.role = 'owner'
  ) then
    raise exception 'LAST_OWNER' using detail = 'A brand keeps at least one owner.';
  end if;
  return null;
end
$$;
create trigger keep_an_owner_when_leaving after delete on public.memberships
  for each row when (old.role = 'owner') execute function private.keep_an_owner();
create trigger keep_an_owner_when_demoted after update of role on public.memberships
  for each row when (old.role = 'owner' and new.role <> 'owner') execute function private.keep_an_owner();

call private.keep_in_sync('public.brands');
call private.keep_in_sync('public.memberships', 'user_id');

-- Rights. Supabase grants everything on new tables; here each right is named.
revoke all on public.brands, public.memberships from public, anon, authenticated;
grant select on public.brands, public.memberships to authenticated;
grant insert (id, name, slug), update (name), delete on public.brands to authenticated;
grant update (role, display_name), delete on public.memberships to authenticated;
grant select, insert, update, delete on public.brands, public.memberships to service_role;

revoke execute on all functions in schema private from public;
grant execute on function private.my_brand_ids(), private.my_led_brand_ids(), private.my_owned_brand_ids()
  to authenticated, service_role;

alter table public.brands enable row level security;
create policy "members see their brands" on public.brands for select to authenticated
  using (id = any (array(select private.my_brand_ids())));
create policy "whoever is signed in may found a brand" on public.brands for insert to authenticated
  with check ((select private.caller_id()) is not null);
create policy "owners rename their brands" on public.brands for update to authenticated
  using (id = any (array(select private.my_owned_brand_ids())));
create policy "owners delete their brands" on public.brands for delete to authenticated
  using (id = any (array(select private.my_owned_brand_ids())));
create policy "the secret key sees every brand" on public.brands to service_role using (true);

alter table public.memberships enable row level security;
create policy "members see who belongs to their brands" on public.memberships for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members call themselves as they like" on public.memberships for update to authenticated
  using (user_id = (select private.caller_id()));
create policy "admins set the role of members and admins" on public.memberships for update to authenticated
  using (brand_id = any (array(select private.my_led_brand_ids())) and role <> 'owner')
  with check (brand_id = any (array(select private.my_led_brand_ids())) and role <> 'owner');
create policy "owners set every role" on public.memberships for update to authenticated
  using (brand_id = any (array(select private.my_owned_brand_ids())));
create policy "anyone may leave" on public.memberships for delete to authenticated
  using (user_id = (select private.caller_id()));
create policy "admins remove members and admins" on public.memberships for delete to authenticated
  using (brand_id = any (array(select private.my_led_brand_ids())) and role <> 'owner');
create policy "owners remove everybody" on public.memberships for delete to authenticated
  using (brand_id = any (array(select private.my_owned_brand_ids())));
create policy "the secret key sees every membership" on public.memberships to service_role using (true);

-- The team as a list, with the e-mail addresses that only fellow members see.
create function public.list_brand_members(p_brand_id uuid)
returns table (user_id uuid, email text, role text, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return query
    select m.user_id, u.email::text, m.role, m.created_at
    from public.memberships m join auth.users u on u.id = m.user_id
    where m.brand_id = p_brand_id
    order by m.created_at, u.email;
end
$$;

-- Adds somebody who has an account. Raises NOT_AUTHORIZED, USER_NOT_FOUND, ALREADY_MEMBER. An account whose e-mail is not
-- confirmed is nobody's yet.
create function public.add_brand_member_by_email(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_role text := coalesce(p_role, 'member');
  v_mine text;
  v_user uuid;
begin
  select m.role into v_mine from public.memberships m
  where m.brand_id = p_brand_id and m.user_id = private.caller_id();
  if not private.is_service() and (v_mine is null or v_mine = 'member' or (v_role = 'owner' and v_mine <> 'owner')) then
    raise exception 'NOT_AUTHORIZED';
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

revoke execute on function public.list_brand_members(uuid), public.add_brand_member_by_email(uuid, text, text)
  from public, anon, authenticated;
grant execute on function public.list_brand_members(uuid), public.add_brand_member_by_email(uuid, text, text)
  to authenticated, service_role;

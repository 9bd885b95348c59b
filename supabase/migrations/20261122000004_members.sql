-- Who belongs to a brand, and with which role.

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
  -- Null: somebody else added this person (created_by), who has not opened the brand yet.
  opened_at timestamptz,
  primary key (brand_id, user_id)
);
create index memberships_by_user_idx on public.memberships (user_id, brand_id);

-- Which sessions have opened which brands. A row lasts as long as the membership, not the session: the audit log shows the
-- sign-out too.
create table private.brand_openings (
  brand_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  at timestamptz not null default now(),
  primary key (brand_id, user_id, session_id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);

-- The address by which somebody was added, until they open the brand. A person is added without being asked, so the brand
-- shows nothing of their account before that.
create table private.added_addresses (
  brand_id uuid not null,
  user_id uuid not null,
  email text,
  primary key (brand_id, user_id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);

-- How often a caller has tried to add an address that has no account.
create table private.unknown_addresses (
  user_id uuid not null,
  at timestamptz not null,
  n integer not null default 1,
  primary key (user_id, at)
);

-- NAMES AND ROLES

-- Without a display name, the member gets the local part of their e-mail address.
create function private.tidy_membership() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.display_name := coalesce(
    private.clean_display_name(new.display_name),
    (select private.clean_display_name(left(split_part(u.email, '@', 1), 200)) from auth.users u where u.id = new.user_id),
    'Member'
  );
  return new;
end
$$;
create trigger tidy before insert or update on public.memberships for each row execute function private.tidy_membership();

-- Policies decide by row; what a caller may change also depends on the column. It runs with the caller's rights, so that the
-- owner's functions are not refused.
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

-- A brand keeps one owner. It runs after the change, so that a statement over several owners is judged as a whole. The lock on
-- the brand makes two requests that each remove another owner take turns.
create function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.brands b where b.id = old.brand_id for no key update;
  -- Without a brand row the whole brand is being deleted.
  if found and not exists (
    select from public.memberships m where m.brand_id = old.brand_id and m.role = 'owner'
  ) then
    raise exception 'LAST_OWNER' using errcode = 'BY001', detail = 'A brand keeps at least one owner.';
  end if;
  return null;
end
$$;
create trigger keep_an_owner_when_leaving after delete on public.memberships
  for each row when (old.role = 'owner') execute function private.keep_an_owner();
create trigger keep_an_owner_when_demoted after update of role on public.memberships
  for each row when (old.role = 'owner' and new.role <> 'owner') execute function private.keep_an_owner();

-- OPENING A BRAND

create function private.note_added_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    -- This is the address that was typed: members are found by it, trimmed and lowercased.
    insert into private.added_addresses (brand_id, user_id, email)
    select new.brand_id, new.user_id, u.email from auth.users u where u.id = new.user_id;
  else
    delete from private.added_addresses a where a.brand_id = new.brand_id and a.user_id = new.user_id;
  end if;
  return null;
end
$$;
create trigger note_added_address after insert on public.memberships
  for each row when (new.opened_at is null) execute function private.note_added_address();
create trigger forget_added_address after update of opened_at on public.memberships
  for each row when (old.opened_at is null and new.opened_at is not null) execute function private.note_added_address();

-- Records that this session of the caller has opened the brand.
create function private.note_opening(p_brand_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
begin
  insert into private.brand_openings (brand_id, user_id, session_id)
  values (p_brand_id, v_caller, (auth.jwt() ->> 'session_id')::uuid)
  on conflict do nothing;
  if found then
    -- Removes openings that are older than the audit log.
    delete from private.brand_openings o
    where o.brand_id = p_brand_id and o.user_id = v_caller and o.at < now() - interval '1 year'
      and not exists (select from auth.sessions s where s.id = o.session_id);
  end if;
end
$$;

-- Who founds a brand becomes its owner and has opened it.
create function private.make_founder_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    insert into public.memberships (brand_id, user_id, role, opened_at) values (new.id, auth.uid(), 'owner', now());
    if private.caller_id() is not null then
      perform private.note_opening(new.id);
    end if;
  end if;
  return null;
end
$$;
create trigger make_founder_owner after insert on public.brands for each row execute function private.make_founder_owner();

call private.keep_in_sync('public.memberships', 'user_id');

revoke all on public.memberships from public, anon, authenticated;
revoke all on private.brand_openings, private.added_addresses, private.unknown_addresses from public, anon, authenticated;
grant select on public.memberships to authenticated;
grant update (role, display_name), delete on public.memberships to authenticated;
grant select, insert, update, delete on public.memberships to service_role;

alter table public.memberships enable row level security;
create policy "members see who belongs to their brands" on public.memberships for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members call themselves as they like" on public.memberships for update to authenticated
  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));
create policy "admins set the role of members and admins" on public.memberships for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))) and role <> 'owner')
  with check (brand_id = any (array(select private.my_brand_ids('admin'))) and role <> 'owner');
create policy "owners set every role" on public.memberships for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('owner'))));
create policy "anyone may leave" on public.memberships for delete to authenticated
  using (user_id = (select private.caller_id()) and brand_id = any (array(select private.my_brand_ids())));
create policy "admins remove members and admins" on public.memberships for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))) and role <> 'owner');
create policy "owners remove everybody" on public.memberships for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('owner'))));
create policy "the secret key sees every membership" on public.memberships to service_role using (true);

-- CALLS

-- The members with their e-mail addresses, which only fellow members see.
create function public.list_brand_members(p_brand_id uuid)
returns table (user_id uuid, email text, role text, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return query
    select m.user_id, case when m.opened_at is null then a.email else u.email::text end as address, m.role, m.created_at
    from public.memberships m
    join auth.users u on u.id = m.user_id
    left join private.added_addresses a on a.brand_id = m.brand_id and a.user_id = m.user_id
    where m.brand_id = p_brand_id
    order by m.created_at, address;
end
$$;

-- Refuses callers who may not add or invite somebody with this role: admins add members and admins, owners add owners too.
create function private.assert_may_invite(p_brand_id uuid, p_role text) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, case when p_role = 'owner' then 'owner' else 'admin' end);
end
$$;

-- Whether the caller has met too many unknown addresses within a minute.
create function private.asks_too_often(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(sum(u.n), 0) >= 30 from private.unknown_addresses u
    where u.user_id = p_user and u.at > now() - interval '1 minute'
  );
end
$$;

-- The bundled server reports what an RPC has raised, in a transaction of its own: a count inside the refused transaction would
-- be rolled back. True: too many; the server answers 429 in place of the refusal.
create function private.on_refusal(p_user uuid, p_message text) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_message is distinct from 'USER_NOT_FOUND' or p_user is null then
    return false;
  end if;
  -- Simultaneous requests take turns, so that no more than 30 pass.
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

-- Adds somebody who has an account with a confirmed address; returns their user id. Raises NOT_AUTHORIZED, USER_NOT_FOUND,
-- ALREADY_MEMBER, and PT429 after 30 unknown addresses within a minute.
create function public.add_brand_member_by_email(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_role text := coalesce(p_role, 'member');
  v_user uuid;
begin
  perform private.assert_may_invite(p_brand_id, v_role);
  if private.asks_too_often(private.caller_id()) then
    raise exception 'Too many unknown addresses. Try again in a minute.' using errcode = 'PT429';
  end if;
  perform private.assert_no_invisible(p_email);
  select u.id into v_user from auth.users u
  where u.email = lower(private.trimmed(p_email)) and u.email_confirmed_at is not null and u.deleted_at is null;
  if not found then
    raise exception 'USER_NOT_FOUND';
  end if;
  insert into public.memberships (brand_id, user_id, role) values (p_brand_id, v_user, v_role) on conflict do nothing;
  if not found then
    raise exception 'ALREADY_MEMBER' using errcode = 'BY002';
  end if;
  return v_user;
end
$$;

-- The caller opens the brand in this session. Calling it again does no harm. Raises NOT_AUTHORIZED, SECOND_FACTOR_REQUIRED.
create function public.open_brand(p_brand_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  perform private.assert_member(p_brand_id);
  -- Waits for a removal of this member that is not committed yet.
  perform from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_caller for key share;
  if not found then
    raise exception 'NOT_AUTHORIZED';
  end if;
  perform private.note_opening(p_brand_id);
  update public.memberships m set opened_at = now()
  where m.brand_id = p_brand_id and m.user_id = v_caller and m.opened_at is null;
end
$$;

-- The caller's brands that they were added to and have not opened: by whom (null where that member has gone) and when.
create function public.unopened_brands() returns table (brand_id uuid, added_by text, added_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  return query
    select m.brand_id, a.display_name::text, m.created_at
    from public.memberships m
    left join public.memberships a on a.brand_id = m.brand_id and a.user_id = m.created_by and a.user_id <> m.user_id
    where m.user_id = v_caller and m.opened_at is null and m.brand_id = any (array(select private.my_brand_ids()))
    order by m.created_at, m.brand_id;
end
$$;

-- Makes another member owner and the caller an admin: both or neither. Raises NOT_AUTHORIZED where the caller is no owner, and
-- USER_NOT_FOUND where the other one is no member or is the caller. Locks are taken in the order of every change of
-- a membership: memberships first, the brand last (keep_an_owner). Otherwise it could deadlock with a member who leaves.
create function public.hand_over_brand(p_brand_id uuid, p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  perform from public.memberships m
  where m.brand_id = p_brand_id and m.user_id in (p_user_id, v_caller)
    and p_brand_id = any (array(select private.my_brand_ids('owner')))
  order by m.user_id
  for no key update;
  -- Checked after the lock: of two simultaneous requests the second one sees what the first one did.
  perform private.assert_role(p_brand_id, 'owner');
  update public.memberships m set role = 'owner'
  where m.brand_id = p_brand_id and m.user_id = p_user_id and m.user_id <> v_caller;
  if not found then
    raise exception 'USER_NOT_FOUND';
  end if;
  update public.memberships m set role = 'admin' where m.brand_id = p_brand_id and m.user_id = v_caller;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.list_brand_members(uuid), public.add_brand_member_by_email(uuid, text, text),
  public.open_brand(uuid), public.unopened_brands(), public.hand_over_brand(uuid, uuid) from public, anon, authenticated;
grant execute on function public.list_brand_members(uuid), public.add_brand_member_by_email(uuid, text, text)
  to authenticated, service_role;
grant execute on function public.open_brand(uuid), public.unopened_brands(), public.hand_over_brand(uuid, uuid) to authenticated;

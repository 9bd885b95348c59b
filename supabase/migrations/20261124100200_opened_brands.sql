-- Whoever has an account is added to a brand at once, unasked. So nothing of them shows there before they have opened the
-- brand themselves: in the list stands the address that was typed, and the audit log is silent. Afterwards owners see of
-- somebody's account only what sessions did that opened this brand, and never from where.

-- Null: added by somebody else (created_by), not opened by the person yet. Signed-in people read it with the rest of the row
-- and never write it.
alter table public.memberships add column opened_at timestamptz;
-- By the rules of old they are in. Stamped, so that devices learn of it.
update public.memberships set opened_at = created_at;

-- Which sessions have opened which brands. It ends with the membership, not with the session: a sign-out is told, too.
create table private.brand_openings (
  brand_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  at timestamptz not null default now(),
  primary key (brand_id, user_id, session_id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);

-- The address by which somebody was added, until they open the brand.
create table private.added_addresses (
  brand_id uuid not null,
  user_id uuid not null,
  email text,
  primary key (brand_id, user_id),
  foreign key (brand_id, user_id) references public.memberships on delete cascade
);

create function private.note_added_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    -- Whoever adds somebody finds them by this address, trimmed and lowercased.
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

-- This session of the caller has opened the brand.
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
    -- What the log does not reach back to any more.
    delete from private.brand_openings o
    where o.brand_id = p_brand_id and o.user_id = v_caller and o.at < now() - interval '1 year'
      and not exists (select from auth.sessions s where s.id = o.session_id);
  end if;
end
$$;

-- Who founds a brand has opened it.
create or replace function private.own_brand() returns trigger
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

-- The caller opens the brand in this session; once is enough, and more often does no harm. Raises NOT_AUTHORIZED,
-- SECOND_FACTOR_REQUIRED.
create function public.open_brand(p_brand_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  perform private.assert_member(p_brand_id);
  -- Whoever is being removed in this moment is waited for.
  perform from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_caller for key share;
  if not found then
    raise exception 'NOT_AUTHORIZED';
  end if;
  perform private.note_opening(p_brand_id);
  update public.memberships m set opened_at = now()
  where m.brand_id = p_brand_id and m.user_id = v_caller and m.opened_at is null;
end
$$;

-- The caller's brands that they were added to and have not opened: by whom (null where they are gone) and when.
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

create or replace function public.list_brand_members(p_brand_id uuid)
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

create or replace function public.add_brand_member_by_email(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
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
  perform private.assert_visible(p_email);
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

-- A page of the log, newest first, as before. Of a member's account: what happened since they opened the brand, in sessions
-- that have opened it (a line without a session, such as a failed sign-in, belongs to no brand). Coarse addresses are shown
-- to the person themselves alone, and of what a line tells besides only what is named here.
create or replace function public.audit_log(p_brand_id uuid, p_before bigint default null, p_limit integer default 50)
returns table (id bigint, at timestamptz, event text, user_id uuid, who text, detail jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer := least(greatest(coalesce(p_limit, 50), 1), 200);
  v_caller uuid := private.caller_id();
  -- Far from the end of what a timestamp can hold.
  v_before timestamptz := case
    when p_before between 0 and 4000000000000000 then 'epoch'::timestamptz + p_before * interval '1 microsecond'
    else 'infinity'
  end;
begin
  perform private.assert_role(p_brand_id, 'owner');
  return query
    select (extract(epoch from l.at) * 1000000)::bigint, l.at, l.event, l.user_id, m.display_name::text, l.detail
    from (
      (
        select e.at, e.event, e.user_id, e.detail
        from private.brand_events e
        where e.brand_id = p_brand_id and e.at < v_before
          and e.at >= (select b.founded_at from private.brand_lives b where b.id = p_brand_id)
        order by e.at desc limit v_limit
      )
      union all
      (
        -- By session: failed sign-ins, of which strangers can make a million, are not even looked at.
        select a.created_at, private.event_of_action(a.payload ->> 'action'), o.user_id,
          jsonb_strip_nulls(jsonb_build_object(
            'method', a.payload #> '{traits,method}', 'scope', a.payload #> '{traits,scope}', 'by', a.payload #> '{traits,by}',
            'factor_type', a.payload #> '{traits,factor_type}', 'name', a.payload #> '{traits,name}',
            'address', case when o.user_id = v_caller then private.coarse_address(private.inet_or_null(a.ip_address::text)) end))
        from public.memberships o
        join private.brand_openings s on s.brand_id = o.brand_id and s.user_id = o.user_id
        join auth.audit_log_entries a on a.payload ->> 'session_id' = s.session_id::text
        where o.brand_id = p_brand_id and a.payload ->> 'actor_id' = o.user_id::text
          and a.created_at < v_before and a.created_at >= o.opened_at
          and private.event_of_action(a.payload ->> 'action') is not null
        order by a.created_at desc limit v_limit
      )
    ) l
    left join public.memberships m on m.brand_id = p_brand_id and m.user_id = l.user_id
    order by l.at desc
    limit v_limit;
end
$$;

revoke all on private.brand_openings, private.added_addresses from public, anon, authenticated;
revoke execute on all functions in schema private from public;
revoke execute on function public.open_brand(uuid), public.unopened_brands() from public, anon, authenticated;
grant execute on function public.open_brand(uuid), public.unopened_brands() to authenticated;

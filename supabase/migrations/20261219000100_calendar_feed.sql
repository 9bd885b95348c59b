-- A calendar feed of one's tasks, by a secret address.

-- The secret is kept as a hash only. One feed a person, over all of their brands.
create table private.calendar_feeds (
  user_id uuid primary key references auth.users on delete cascade,
  secret_hash bytea not null unique,
  made_at timestamptz not null default now(),
  -- The session and the password with which it was made. Who fears that one of them was stolen ends it, and the feed with it.
  session_id uuid,
  made_for bytea not null,
  -- It ended with sessions of its person.
  ended_at timestamptz
);
alter table private.calendar_feeds enable row level security;
revoke all on private.calendar_feeds from public, anon, authenticated, service_role;

-- A digest of a user's password, which changes with it; also without a password.
create function private.password_digest(p_user_id uuid) returns bytea
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select sha256(convert_to(coalesce(u.encrypted_password, ''), 'UTF8')) from auth.users u where u.id = p_user_id);
end
$$;

-- The caller's address: { made_at, ended }; null: there is none. It has `ended` with the 'password' that it was made with, or with 'sessions'.
create function public.calendar_feed() returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  return (
    select json_build_object('made_at', f.made_at, 'ended', case
      when f.ended_at is not null then 'sessions'
      when f.made_for <> private.password_digest(v_caller) then 'password' end)
    from private.calendar_feeds f where f.user_id = v_caller);
end
$$;

-- Makes the caller's address: answers its secret, this once. The one before stops working.
create function public.make_calendar_feed() returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  insert into private.calendar_feeds as f (user_id, secret_hash, session_id, made_for)
  values (v_caller, sha256(convert_to(v_secret, 'UTF8')), (auth.jwt() ->> 'session_id')::uuid, private.password_digest(v_caller))
  on conflict (user_id) do update
  set secret_hash = excluded.secret_hash, made_at = now(), session_id = excluded.session_id, made_for = excluded.made_for, ended_at = null;
  return v_secret;
end
$$;

create function public.end_calendar_feed() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  delete from private.calendar_feeds f where f.user_id = v_caller;
end
$$;

-- Sessions of a user were ended by their person or by the operator, not by expiring or by a plain sign-out: all but one, or this one. The feed
-- ends, which one of them may have made. The bundled server calls it, too.
create function private.on_sessions_ended(p_user_id uuid, p_session_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.calendar_feeds f set ended_at = now()
  where f.user_id = p_user_id and f.ended_at is null and (p_session_id is null or f.session_id = p_session_id);
end
$$;

-- Ends one session of the caller at once: its next request sees nothing, and the calendar address that it made stops working. Raises NOT_FOUND for a
-- session that is not theirs.
create or replace function public.end_session(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = v_caller;
  if not found then
    raise exception 'NOT_FOUND' using errcode = 'BY006';
  end if;
  perform private.on_sessions_ended(v_caller, p_id);
end
$$;

-- Ends all sessions but this one, and the calendar address; answers how many.
create or replace function public.end_other_sessions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_ended integer;
begin
  delete from auth.sessions s where s.user_id = v_caller and s.id <> (auth.jwt() ->> 'session_id')::uuid;
  get diagnostics v_ended = row_count;
  perform private.on_sessions_ended(v_caller);
  return v_ended;
end
$$;

-- The feed with this secret: { name, events }; null: there is none. The bundled server calls it, as the owner. Open tasks that are assigned
-- to its person, from 90 days ago on: the first 1,000 by their due date. A brand that demands a second factor is left out: an
-- address proves none; so is one that its person has not opened: strangers could write into their calendar.
create function private.calendar_of(p_secret text) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_user uuid;
begin
  select f.user_id into v_user
  from private.calendar_feeds f join auth.users u on u.id = f.user_id
  where f.secret_hash = sha256(convert_to(p_secret, 'UTF8')) and (u.banned_until is null or u.banned_until <= now())
    and f.ended_at is null and f.made_for = private.password_digest(f.user_id);
  if v_user is null then
    return null;
  end if;
  return jsonb_build_object('name', 'Tasks in Banyan CRM', 'events', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', t.brand_id || '.' || t.id,
      'path', '/crm/tasks/' || t.id,
      'summary', t.title,
      'description', concat_ws(E'\n', t.contact, t.deal, t.company, initcap(nullif(t.priority, 'normal')) || ' priority', t.brand),
      'day', private.due_day(t.due_at),
      'at', t.due_at,
      'changed_at', t.updated_at,
      'version', t.version) order by t.due_at, t.id), '[]')
    from (
      select t.*, b.name as brand, 'Deal: ' || d.name as deal, 'Company: ' || o.name as company,
        'Contact: ' || coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone) as contact
      from public.memberships m
      join public.brands b on b.id = m.brand_id and not b.requires_second_factor
      join public.tasks t on t.brand_id = m.brand_id and t.assignee_id = m.user_id
      left join public.contacts c on c.brand_id = t.brand_id and c.id = t.contact_id
      left join public.deals d on d.brand_id = t.brand_id and d.id = t.deal_id
      left join public.companies o on o.brand_id = t.brand_id and o.id = coalesce(d.company_id, c.company_id)
      where m.user_id = v_user and m.opened_at is not null and t.status = 'open' and t.due_at > now() - interval '90 days'
      order by t.due_at, t.id limit 1000) t));
end
$$;

-- What this backend offers beyond Supabase's own calls: {"mail", "invitations", "invitation_links", "sign_up", "calendar"}. Screens hide the rest.
create or replace function public.capabilities() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.caller_id() is null and not private.is_service() then
    raise exception 'NOT_AUTHORIZED';
  end if;
  return jsonb_build_object(
    'mail', coalesce(private.server_setting('mail') = 'true', false),
    'invitations', private.invitations_on(),
    'invitation_links', private.invitation_links_on(),
    'sign_up', private.server_setting('sign_up'),
    'calendar', coalesce(private.server_setting('calendar') = 'true', false)
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.calendar_feed(), public.make_calendar_feed(), public.end_calendar_feed() from public, anon, authenticated;
grant execute on function public.calendar_feed(), public.make_calendar_feed(), public.end_calendar_feed() to authenticated;

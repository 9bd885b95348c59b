-- Reminders of tasks at their time, and web push: what a person is notified of also reaches their devices while the app is closed.
-- SQL decides what is sent, to whom and when; the bundled server only delivers the rows of private.push_outbox.

alter table public.notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('assigned', 'deal_moved', 'member_joined', 'mentioned', 'task_due'));

-- SETTINGS OF A PERSON

create table private.notification_settings (
  user_id uuid primary key references auth.users on delete cascade,
  time_zone text not null default 'UTC' check (length(time_zone) <= 100),
  -- Between these local times nothing is pushed; it comes at their end. Null: at any time.
  quiet_from time,
  quiet_until time,
  check ((quiet_from is null) = (quiet_until is null))
);

-- Where a browser receives pushes. It belongs to a session: a push to a device ends with the sign-in.
create table private.push_subscriptions (
  endpoint text primary key,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  -- The browser's public key and its secret, base64url.
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}=?$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}(==)?$'),
  created_at timestamptz not null default now(),
  -- Of a push service: a public name, over https at its usual port. The server checks the address that the name stands for, too.
  constraint push_subscriptions_endpoint_check check (
    length(endpoint) <= 1000
    and endpoint ~ '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](:443)?/[!-~]*$'
    and endpoint !~ '^https://[^/]*\.(local|localhost|internal|lan|home|corp|intranet|arpa)(:443)?/'
  )
);
create index push_subscriptions_of_user_idx on private.push_subscriptions (user_id, created_at);
create index push_subscriptions_of_session_idx on private.push_subscriptions (session_id);

-- Pushes that wait. One that was taken is not taken again: after a crash it may be lost, never shown twice; the bell has it anyway.
create table private.push_outbox (
  id bigint generated always as identity primary key,
  endpoint text not null references private.push_subscriptions on delete cascade,
  payload jsonb not null,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  taken_at timestamptz,
  created_at timestamptz not null default now()
);
create index push_outbox_by_due_idx on private.push_outbox (due_at) where taken_at is null;
create index push_outbox_by_endpoint_idx on private.push_outbox (endpoint);
create index push_outbox_by_age_idx on private.push_outbox (created_at);

-- The first moment from p_at on that lies outside of the person's quiet hours. Local times that a change of the clock skips or repeats
-- are read as PostgreSQL reads them: by the standard time of the zone.
create function private.after_quiet_hours(p_user_id uuid, p_at timestamptz) returns timestamptz
language plpgsql stable set search_path = ''
as $$
declare
  v private.notification_settings;
  v_local timestamp;
  v_until timestamp;
begin
  select * into v from private.notification_settings s where s.user_id = p_user_id;
  if v.quiet_from is null or v.quiet_from = v.quiet_until then
    return p_at;
  end if;
  v_local := p_at at time zone v.time_zone;
  if v.quiet_from < v.quiet_until then
    if v_local::time < v.quiet_from or v_local::time >= v.quiet_until then
      return p_at;
    end if;
    v_until := v_local::date + v.quiet_until;
  elsif v_local::time >= v.quiet_from then
    v_until := v_local::date + 1 + v.quiet_until;
  elsif v_local::time < v.quiet_until then
    v_until := v_local::date + v.quiet_until;
  else
    return p_at;
  end if;
  return greatest(p_at, v_until at time zone v.time_zone);
end
$$;

-- REMINDERS

-- When whom to remind of a task. A task without a reminder is done, or its time had passed when it was written.
create table private.reminders (
  brand_id uuid not null,
  task_id uuid not null,
  user_id uuid not null,
  remind_at timestamptz not null,
  primary key (brand_id, task_id),
  foreign key (brand_id, task_id) references public.tasks on delete cascade
);
create index reminders_by_time_idx on private.reminders (remind_at);
create index reminders_of_user_idx on private.reminders (user_id);
revoke all on private.notification_settings, private.push_subscriptions, private.push_outbox, private.reminders
  from public, anon, authenticated;

-- At its time; a task that is due on a day without a time at nine in the morning, by the clock of who is reminded.
create function private.remind_at(p_due_at timestamptz, p_user_id uuid) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  if private.due_day(p_due_at) is null then
    return p_due_at;
  end if;
  return (private.due_day(p_due_at) + time '09:00') at time zone
    coalesce((select s.time_zone from private.notification_settings s where s.user_id = p_user_id), 'UTC');
end
$$;

-- The assignee is reminded; of a task without one, who made it.
create function private.set_reminder() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid := coalesce(new.assignee_id, new.created_by);
  v_at timestamptz := private.remind_at(new.due_at, v_user);
begin
  if new.status = 'open' and v_user is not null and v_at > now() then
    insert into private.reminders as r (brand_id, task_id, user_id, remind_at) values (new.brand_id, new.id, v_user, v_at)
    on conflict (brand_id, task_id) do update set user_id = excluded.user_id, remind_at = excluded.remind_at;
  elsif tg_op = 'UPDATE' then
    delete from private.reminders r where r.brand_id = new.brand_id and r.task_id = new.id;
  end if;
  return null;
end
$$;
create trigger set_first_reminder after insert on public.tasks
  for each row when (new.due_at is not null and new.status = 'open') execute function private.set_reminder();
create trigger set_reminder after update of due_at, status, assignee_id on public.tasks
  for each row when ((new.due_at, new.status, new.assignee_id) is distinct from (old.due_at, old.status, old.assignee_id))
  execute function private.set_reminder();
insert into private.reminders (brand_id, task_id, user_id, remind_at)
select t.brand_id, t.id, coalesce(t.assignee_id, t.created_by), private.remind_at(t.due_at, coalesce(t.assignee_id, t.created_by))
from public.tasks t
where t.status = 'open' and t.due_at > now() and coalesce(t.assignee_id, t.created_by) is not null;

-- The bundled server calls this every few seconds; several servers may. Makes the notifications of what is due, each once: a reminder is
-- deleted in the transaction that notifies. On Supabase, pg_cron can call it.
create function private.on_timer() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v private.reminders;
begin
  for v in
    delete from private.reminders r where (r.brand_id, r.task_id) in (
      select d.brand_id, d.task_id from private.reminders d where d.remind_at <= now() order by d.remind_at limit 200 for update skip locked)
    returning r.*
  loop
    perform private.notify(v.brand_id, v.user_id, 'task_due', 'tasks', v.task_id, t.title)
    from public.tasks t where t.brand_id = v.brand_id and t.id = v.task_id and t.status = 'open';
  end loop;
  delete from private.push_outbox o where o.id in (
    select p.id from private.push_outbox p where p.created_at < now() - interval '2 days' limit 500);
end
$$;

-- PUSH

create function private.push_payload(p_notification public.notifications) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_who text := coalesce((
    select m.display_name from public.memberships m
    where m.brand_id = p_notification.brand_id and m.user_id = p_notification.actor_id), 'Somebody');
  v_title text := p_notification.title || case when p_notification.is_many then ' and more' else '' end;
begin
  return jsonb_build_object(
    'title', case p_notification.kind
      when 'assigned' then v_who || case p_notification.record_table when 'tasks' then ' assigned you a task' else ' gave you a record' end
      when 'deal_moved' then v_who || ' moved your deal'
      when 'mentioned' then v_who || ' mentioned you'
      when 'member_joined' then 'Invitation accepted'
      else 'Due now'
    end,
    'body', concat_ws(case p_notification.kind when 'deal_moved' then ' → ' else ': ' end, v_title, p_notification.detail),
    'tag', p_notification.id,
    'url', coalesce('/crm/' || p_notification.record_table || '/' || p_notification.record_id, '/crm/settings'));
end
$$;

-- To each browser of the person whose session may open the brand.
create function private.push_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.push_outbox (endpoint, payload, due_at)
  select p.endpoint, private.push_payload(new), private.after_quiet_hours(new.user_id, now())
  from private.push_subscriptions p
  join auth.sessions s on s.id = p.session_id and (s.not_after is null or s.not_after > now())
  join public.brands b on b.id = new.brand_id
  where p.user_id = new.user_id and (s.aal::text in ('aal2', 'aal3') or not (b.requires_second_factor
    or exists (select from auth.mfa_factors f where f.user_id = new.user_id and f.status = 'verified')));
  return null;
end
$$;
create trigger push after insert on public.notifications
  for each row when (new.read_at is null) execute function private.push_notification();

-- The bundled server takes what is due, sends it, and reports the push service's answer. What was read meanwhile is not sent.
create function private.take_pushes(p_limit integer)
returns table (id bigint, endpoint text, p256dh text, auth text, payload text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.push_outbox o using public.notifications n
  where o.due_at <= now() and o.taken_at is null and n.id = (o.payload ->> 'tag')::uuid and n.read_at is not null;
  return query
    with taken as (
      update private.push_outbox o set taken_at = now(), attempts = o.attempts + 1
      where o.id in (
        select w.id from private.push_outbox w where w.due_at <= now() and w.taken_at is null
        order by w.due_at limit p_limit for update skip locked)
      returning o.id, o.endpoint, o.payload
    )
    select t.id, t.endpoint, p.p256dh, p.auth, t.payload::text
    from taken t join private.push_subscriptions p on p.endpoint = t.endpoint
    join auth.sessions s on s.id = p.session_id and (s.not_after is null or s.not_after > now());
end
$$;

-- p_status: the HTTP status, 0 where no answer came. A subscription that is gone is deleted with all that waits for it. A push that may
-- succeed later is tried again, five times.
create function private.settle_push(p_id bigint, p_status integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_status in (404, 410) then
    delete from private.push_subscriptions p using private.push_outbox o where o.id = p_id and p.endpoint = o.endpoint;
  elsif p_status in (0, 429) or p_status >= 500 then
    update private.push_outbox o set taken_at = null, due_at = now() + o.attempts * interval '1 minute'
    where o.id = p_id and o.attempts < 5;
  else
    delete from private.push_outbox o where o.id = p_id;
  end if;
end
$$;

-- CALLS

-- { time_zone, quiet_from, quiet_until }: the caller's settings; times as HH:MM, or null.
create function public.notification_settings() returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  return (
    select json_build_object('time_zone', s.time_zone, 'quiet_from', to_char(s.quiet_from, 'HH24:MI'), 'quiet_until', to_char(s.quiet_until, 'HH24:MI'))
    from (select v_caller as id) c left join private.notification_settings s on s.user_id = c.id);
end
$$;

-- Sets the caller's time zone (an IANA name) and quiet hours (null: none).
create function public.set_notification_settings(p_time_zone text, p_quiet_from time default null, p_quiet_until time default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  if (p_quiet_from is null) <> (p_quiet_until is null) then
    raise exception 'Quiet hours have a begin and an end.' using errcode = '22023';
  end if;
  if p_time_zone is null or p_time_zone !~ '^[A-Za-z][A-Za-z0-9_+/-]{1,99}$' then
    raise exception 'The time zone is a name such as Europe/London.' using errcode = '22023';
  end if;
  begin
    perform now() at time zone p_time_zone;
  exception when invalid_parameter_value then
    raise exception 'The time zone is a name such as Europe/London.' using errcode = '22023';
  end;
  insert into private.notification_settings as s (user_id, time_zone, quiet_from, quiet_until)
  values (v_caller, p_time_zone, p_quiet_from, p_quiet_until)
  on conflict (user_id) do update
  set time_zone = excluded.time_zone, quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until;
  update private.reminders r set remind_at = private.remind_at(t.due_at, v_caller)
  from public.tasks t
  where r.user_id = v_caller and t.brand_id = r.brand_id and t.id = r.task_id and private.due_day(t.due_at) is not null;
end
$$;

-- Pushes to this browser from now on, as long as the caller's session lasts. At most ten browsers: the one that was added first goes.
create function public.save_push_subscription(p_endpoint text, p_p256dh text, p_auth text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  insert into private.push_subscriptions as p (endpoint, user_id, session_id, p256dh, auth)
  values (p_endpoint, v_caller, (auth.jwt() ->> 'session_id')::uuid, p_p256dh, p_auth)
  on conflict (endpoint) do update
  set user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, created_at = now();
  delete from private.push_subscriptions p where p.endpoint in (
    select o.endpoint from private.push_subscriptions o where o.user_id = v_caller order by o.created_at desc, o.endpoint offset 10);
exception when check_violation or not_null_violation then
  raise exception 'This is not the subscription of a public push service.' using errcode = '22023';
end
$$;

create function public.remove_push_subscription(p_endpoint text) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  delete from private.push_subscriptions p where p.endpoint = p_endpoint and p.user_id = v_caller;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.notification_settings(), public.set_notification_settings(text, time, time),
  public.save_push_subscription(text, text, text), public.remove_push_subscription(text) from public, anon, authenticated;
grant execute on function public.notification_settings(), public.set_notification_settings(text, time, time),
  public.save_push_subscription(text, text, text), public.remove_push_subscription(text) to authenticated;

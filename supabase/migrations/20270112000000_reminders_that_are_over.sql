-- 1. A reminder is read when its task is done, gets another time, or is given to somebody else: it no longer counts, and is not pushed.
-- 2. Push services that do not answer delay only the person whose browsers use them.
-- 3. The quiet hours are asked again when a push is sent: it may have been created before they began, or it may be tried again during them.
-- 4. A push names its brand, so that its page is opened in this brand.

-- Read, not deleted: a live event of a deleted notification names no person, so the open devices of the person would not get it.
create function private.read_reminder() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set read_at = now()
  where n.brand_id = old.brand_id and n.user_id = coalesce(old.assignee_id, old.created_by) and n.kind = 'task_due'
    and n.record_id = old.id and n.read_at is null;
  return null;
end
$$;
-- A reminder of a day without a time comes at most 29 hours before the end of this day in UTC. So nearly all edits of later tasks search for nothing.
-- Its name sorts after set_reminder, which waits for a timer that creates this reminder at the same moment.
create trigger then_read_reminder after update of due_at, status, assignee_id on public.tasks
  for each row when (
    old.status = 'open' and old.due_at < now() + interval '2 days'
    and (new.due_at, new.status, new.assignee_id) is distinct from (old.due_at, old.status, old.assignee_id))
  execute function private.read_reminder();

create index push_outbox_taken_idx on private.push_outbox (taken_at) where taken_at is not null;

-- Of these pushes, those that somebody is still to get: their keys, and when they may be sent (now, or after the quiet hours).
create function private.wanted_pushes(p_ids bigint[]) returns table (id bigint, p256dh text, auth text, send_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select o.id, p.p256dh, p.auth, private.after_quiet_hours(p.user_id, now())
    from private.push_outbox o
    join private.push_subscriptions p on p.endpoint = o.endpoint
    -- A notification goes with its membership.
    join public.notifications n on n.id = (o.payload ->> 'tag')::uuid and n.user_id = p.user_id and n.read_at is null
    join public.memberships m on m.brand_id = n.brand_id and m.user_id = n.user_id and m.opened_at is not null
    join public.brands b on b.id = n.brand_id
    join auth.sessions s on s.id = p.session_id and (s.not_after is null or s.not_after > now())
    where o.id = any (p_ids)
      and (s.aal::text in ('aal2', 'aal3') or not (b.requires_second_factor
        or exists (select from auth.mfa_factors f where f.user_id = n.user_id and f.status = 'verified')))
      -- A delete of a task searches for no notifications, so the reminder is still unread.
      and not (n.kind = 'task_due' and exists (
        select from private.tombstones t where t.brand_id = n.brand_id and t.table_name = 'tasks' and t.row_id = n.record_id));
end
$$;

-- Deletes the due pushes that nobody is to get any more, and moves those of people whose quiet hours have begun to their end: at most 1,000 per call. So
-- they do not take the places of other pushes (take_pushes).
create function private.tidy_pushes() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  with due as materialized (
    select o.id from private.push_outbox o
    where o.due_at <= now() and o.taken_at is null
    order by o.due_at limit 1000 for update skip locked
  ),
  wanted as materialized (
    select * from private.wanted_pushes(array(select d.id from due d))
  ),
  unwanted as (
    delete from private.push_outbox o using due d where o.id = d.id and d.id not in (select w.id from wanted w)
  )
  update private.push_outbox o set due_at = w.send_at from wanted w where o.id = w.id and w.send_at > now();
end
$$;

-- The next pushes that are due, at most p_limit, each given to one caller. At most three of a person are underway at once. Those that nobody is to
-- get any more are deleted, and those of people whose quiet hours have begun wait for their end.
create or replace function private.take_pushes(p_limit integer)
returns table (id bigint, endpoint text, p256dh text, auth text, payload text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return query
    with underway as materialized (
      select p.user_id, count(*) as pushes
      from private.push_outbox o join private.push_subscriptions p on p.endpoint = o.endpoint
      -- The server waits less than this time for an answer. An older one belongs to a server that has stopped.
      where o.taken_at > now() - interval '30 seconds'
      group by p.user_id
    ),
    oldest as materialized (
      select o.id, o.due_at, p.user_id, coalesce(u.pushes, 0) as underway
      from private.push_outbox o
      join private.push_subscriptions p on p.endpoint = o.endpoint
      left join underway u on u.user_id = p.user_id
      where o.due_at <= now() and o.taken_at is null and coalesce(u.pushes, 0) < 3
      order by o.due_at limit 1000
    ),
    next as materialized (
      select t.id from (
        select o.id, o.due_at, o.underway + row_number() over (partition by o.user_id order by o.due_at, o.id) as place from oldest o
      ) t where t.place <= 3 order by t.due_at limit p_limit
    ),
    due as materialized (
      select w.id from private.push_outbox w
      where w.id in (select x.id from next x) and w.taken_at is null
      order by w.due_at for update skip locked
    ),
    wanted as materialized (
      select * from private.wanted_pushes(array(select d.id from due d))
    ),
    unwanted as (
      delete from private.push_outbox o using due d where o.id = d.id and d.id not in (select w.id from wanted w)
    ),
    quiet as (
      update private.push_outbox o set due_at = w.send_at from wanted w where o.id = w.id and w.send_at > now()
    )
    update private.push_outbox o set taken_at = now(), attempts = o.attempts + 1
    from wanted w where o.id = w.id and w.send_at <= now()
    returning o.id, o.endpoint, w.p256dh, w.auth, o.payload::text;
end
$$;

create or replace function private.push_payload(p_notification public.notifications) returns jsonb
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
      when 'import_ended' then 'Import ended'
      else 'Due now'
    end,
    'body', concat_ws(case p_notification.kind when 'deal_moved' then ' → ' else ': ' end, v_title, p_notification.detail),
    'tag', p_notification.id,
    'brand_id', p_notification.brand_id,
    'url', case
      when p_notification.kind = 'import_ended' then '/crm/import-contacts#import-' || p_notification.record_id
      else coalesce('/crm/' || p_notification.record_table || '/' || p_notification.record_id
        || coalesce('#note-' || p_notification.note_id, ''), '/crm/settings')
    end);
end
$$;

revoke execute on all functions in schema private from public;

-- Each person chooses what is pushed to their devices, kind by kind; the bell has everything. And: being added to a brand is a notification.

-- What a person wants no push of.
create table private.muted_pushes (
  user_id uuid not null references auth.users on delete cascade,
  kind text not null check (kind in ('assigned', 'deal_moved', 'member_joined', 'mentioned', 'task_due', 'import_ended')),
  primary key (user_id, kind)
);
alter table private.muted_pushes enable row level security;
revoke all on private.muted_pushes from public, anon, authenticated, service_role;

-- Pushes name their notification by its id alone.
create index notifications_by_id_idx on public.notifications (id);

-- { time_zone, quiet_from, quiet_until, muted_kinds }: the caller's settings; times as HH:MM, or null; of which kinds nothing is pushed.
create or replace function public.notification_settings() returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  return (
    select json_build_object('time_zone', s.time_zone, 'quiet_from', to_char(s.quiet_from, 'HH24:MI'), 'quiet_until', to_char(s.quiet_until, 'HH24:MI'),
      'muted_kinds', array(select m.kind from private.muted_pushes m where m.user_id = c.id order by m.kind))
    from (select v_caller as id) c left join private.notification_settings s on s.user_id = c.id);
end
$$;

-- Whether notifications of this kind are pushed to the caller's devices. What waits of a kind that is switched off is not sent.
create function public.set_pushed_kind(p_kind text, p_is_on boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  if p_is_on is null or p_kind is null then
    raise exception 'p_kind and p_is_on are required.' using errcode = '22023';
  end if;
  if p_is_on then
    delete from private.muted_pushes m where m.user_id = v_caller and m.kind = p_kind;
    return;
  end if;
  insert into private.muted_pushes (user_id, kind) values (v_caller, p_kind) on conflict do nothing;
  delete from private.push_outbox o using private.push_subscriptions p, public.notifications n
  where p.user_id = v_caller and o.endpoint = p.endpoint and o.taken_at is null
    and n.id = (o.payload ->> 'tag')::uuid and n.user_id = v_caller and n.kind = p_kind;
exception when check_violation then
  raise exception 'There is no such kind of notification.' using errcode = '22023';
end
$$;

-- To each browser of the person whose session may open the brand, of the kinds that they chose. A brand that somebody was added to and has
-- not opened pushes nothing: anybody may add anybody, and chooses the words.
create or replace function private.push_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.push_outbox (endpoint, payload, due_at)
  select p.endpoint, private.push_payload(new), private.after_quiet_hours(new.user_id, now())
  from private.push_subscriptions p
  join auth.sessions s on s.id = p.session_id and (s.not_after is null or s.not_after > now())
  join public.brands b on b.id = new.brand_id
  join public.memberships m on m.brand_id = new.brand_id and m.user_id = new.user_id and m.opened_at is not null
  where p.user_id = new.user_id
    and not exists (select from private.muted_pushes k where k.user_id = new.user_id and k.kind = new.kind)
    and (s.aal::text in ('aal2', 'aal3') or not (b.requires_second_factor
      or exists (select from auth.mfa_factors f where f.user_id = new.user_id and f.status = 'verified')));
  return null;
end
$$;

-- Somebody was added to a brand: tells them, with the brand's name and who did it. They read it in their other brands, too.
create function private.tell_added() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.notify(new.brand_id, new.user_id, 'added_to_brand', null, null, (select b.name from public.brands b where b.id = new.brand_id),
    (select m.display_name from public.memberships m where m.brand_id = new.brand_id and m.user_id = new.created_by), new.created_by);
  return null;
end
$$;
create trigger tell_added after insert on public.memberships
  for each row when (new.opened_at is null and new.created_by <> new.user_id) execute function private.tell_added();

-- Who has opened the brand knows of it.
create function private.read_added() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.notifications n set read_at = now()
  where n.brand_id = new.brand_id and n.user_id = new.user_id and n.kind = 'added_to_brand' and n.read_at is null;
  return null;
end
$$;
create trigger read_added after update of opened_at on public.memberships
  for each row when (old.opened_at is null and new.opened_at is not null) execute function private.read_added();

-- What this installation stores about the caller: the account, its factors and sessions, and in the brands that are open to this
-- session the membership and the records that they own or made. Where `next` is not null there are more records: called again
-- with its `table` and `after`, it answers { records, next } alone.
create or replace function public.export_my_data(p_table text default null, p_after text default null) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_page record;
  v_brand uuid;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if private.session_level() = 0 then
    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';
  end if;
  select * into v_page from private.my_records(v_caller, p_table, p_after);
  -- One line for each export, wherever it starts; none in a brand that the caller has not opened.
  for v_brand in
    select m.brand_id from public.memberships m
    where m.user_id = v_caller and m.opened_at is not null and m.brand_id = any (array(select private.my_brand_ids()))
      and (p_table is null or not exists (
        select from private.brand_events e
        where e.brand_id = m.brand_id and e.at > now() - interval '1 hour' and e.event = 'data_exported' and e.user_id = v_caller
      ))
  loop
    perform private.record_event(v_brand, 'data_exported', '{}');
  end loop;
  if p_table is not null then
    return json_build_object('records', v_page.records, 'next', v_page.next);
  end if;
  return json_build_object(
    'exported_at', now(),
    'account', (
      select json_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
        'metadata', u.raw_user_meta_data)
      from auth.users u where u.id = v_caller),
    'factors', (
      select coalesce(json_agg(json_build_object('type', f.factor_type, 'name', f.friendly_name, 'phone', f.phone,
        'status', f.status, 'created_at', f.created_at)), '[]')
      from auth.mfa_factors f where f.user_id = v_caller),
    'sessions', (
      select coalesce(json_agg(json_build_object('created_at', s.created_at, 'user_agent', s.user_agent, 'address', s.ip)), '[]')
      from (select * from auth.sessions o where o.user_id = v_caller order by o.created_at desc limit 1000) s),
    'memberships', (
      select coalesce(json_agg(json_build_object('brand', b.name, 'role', m.role, 'display_name', m.display_name,
        'since', m.created_at)), '[]')
      from public.memberships m join public.brands b on b.id = m.brand_id
      where m.user_id = v_caller and m.brand_id = any (array(select private.my_brand_ids()))),
    -- What colleagues called the caller there stays in the history of records. The brand's id alone: its name is no longer theirs to read.
    'former_memberships', (
      select coalesce(json_agg(json_build_object('brand_id', f.brand_id, 'display_name', f.display_name, 'left_at', f.left_at) order by f.left_at, f.brand_id), '[]')
      from private.former_members f where f.user_id = v_caller),
    'notifications', (
      select coalesce(json_agg(json_build_object('brand_id', n.brand_id, 'kind', n.kind, 'title', n.title, 'detail', n.detail,
        'created_at', n.created_at, 'read_at', n.read_at) order by n.created_at desc, n.id), '[]')
      from (
        select * from public.notifications o
        where o.user_id = v_caller and o.brand_id = any (array(select private.my_brand_ids())) order by o.created_at desc, o.id limit 1000
      ) n),
    'notification_settings', (
      select json_build_object('time_zone', s.time_zone, 'quiet_from', s.quiet_from, 'quiet_until', s.quiet_until)
      from private.notification_settings s where s.user_id = v_caller),
    'muted_pushes', array(select k.kind from private.muted_pushes k where k.user_id = v_caller order by k.kind),
    -- That there is one: its address is kept as a hash only.
    'calendar_feed', (select json_build_object('made_at', c.made_at) from private.calendar_feeds c where c.user_id = v_caller),
    -- The push service alone: the whole address lets anybody send.
    'push_subscriptions', (
      select coalesce(json_agg(json_build_object('push_service', split_part(s.endpoint, '/', 3), 'created_at', s.created_at)), '[]')
      from private.push_subscriptions s where s.user_id = v_caller),
    'records', v_page.records,
    'next', v_page.next
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.set_pushed_kind(text, boolean) from public, anon, authenticated;
grant execute on function public.set_pushed_kind(text, boolean) to authenticated;

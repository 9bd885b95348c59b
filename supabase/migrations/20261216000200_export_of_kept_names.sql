-- The export of one's data has the names that are kept of brands that one has left, notifications and where they are sent, too.

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
    -- The push service alone: the whole address lets anybody send.
    'push_subscriptions', (
      select coalesce(json_agg(json_build_object('push_service', split_part(s.endpoint, '/', 3), 'created_at', s.created_at)), '[]')
      from private.push_subscriptions s where s.user_id = v_caller),
    'records', v_page.records,
    'next', v_page.next
  );
end
$$;

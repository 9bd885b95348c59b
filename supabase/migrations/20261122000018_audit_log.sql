-- The audit log of a brand: one line for each member who was added, removed, given a role or invited. Lines are never changed.
-- Owners also read what members' sessions did that have opened the brand (Supabase's auth.audit_log_entries).

create table private.brand_events (
  id bigint generated always as identity primary key,
  brand_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  user_id uuid,
  detail jsonb not null default '{}'
);
create index brand_events_by_brand_idx on private.brand_events (brand_id, at);
create index brand_events_by_age_idx on private.brand_events (at);

revoke all on private.brand_events from public, anon, authenticated;

-- Only lines older than a year may be deleted.
create function private.keep_events() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '1 year' then
    return old;
  end if;
  raise exception 'The audit log is only ever added to.' using errcode = '42501';
end
$$;
create trigger keep before update or delete on private.brand_events for each row execute function private.keep_events();
create trigger keep_all before truncate on private.brand_events for each statement execute function private.keep_events();

create function private.record_event(p_brand_id uuid, p_event text, p_detail jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.brand_events (brand_id, event, user_id, detail) values (p_brand_id, p_event, auth.uid(), p_detail);
  if random() < 0.01 then
    delete from private.brand_events e
    where e.id in (select o.id from private.brand_events o where o.at < now() - interval '1 year' limit 500);
  end if;
end
$$;

create function private.record_membership() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.record_event(new.brand_id,
      case when new.user_id = coalesce(auth.uid(), new.user_id) then 'member_joined' else 'member_added' end,
      jsonb_build_object('user_id', new.user_id, 'name', new.display_name, 'role', new.role));
  elsif tg_op = 'UPDATE' then
    perform private.record_event(new.brand_id, 'role_changed',
      jsonb_build_object('user_id', new.user_id, 'name', new.display_name, 'from', old.role, 'to', new.role));
  elsif exists (select from public.brands b where b.id = old.brand_id) then
    perform private.record_event(old.brand_id,
      case when old.user_id = auth.uid() then 'member_left' else 'member_removed' end,
      jsonb_build_object('user_id', old.user_id, 'name', old.display_name, 'role', old.role));
  end if;
  return null;
end
$$;
create trigger record_coming_and_going after insert or delete on public.memberships
  for each row execute function private.record_membership();
create trigger record_role after update of role on public.memberships
  for each row when (new.role <> old.role) execute function private.record_membership();

create function private.record_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.name <> old.name then
    perform private.record_event(new.id, 'brand_renamed', jsonb_build_object('from', old.name, 'to', new.name));
  end if;
  if new.requires_second_factor <> old.requires_second_factor then
    perform private.record_event(new.id,
      case when new.requires_second_factor then 'second_factor_required' else 'second_factor_optional' end, '{}');
  end if;
  return null;
end
$$;
create trigger record_change after update on public.brands
  for each row when (new.name <> old.name or new.requires_second_factor <> old.requires_second_factor)
  execute function private.record_brand();

-- An accepted invitation is deleted too; then the line of the membership tells about it.
create function private.record_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.record_event(new.brand_id, 'invitation_sent', jsonb_build_object('email', new.email, 'role', new.role));
  elsif not exists (select from public.brands b where b.id = old.brand_id) then
    return null;
  elsif current_setting('private.inviter_gone', true) = 'on' then
    perform private.record_event(old.brand_id, 'invitation_withdrawn',
      jsonb_build_object('email', old.email, 'invited_by', old.invited_by, 'reason', 'inviter_gone'));
  elsif private.is_service() or lower(auth.email()) <> old.email then
    perform private.record_event(old.brand_id, 'invitation_withdrawn', jsonb_build_object('email', old.email));
  end if;
  return null;
end
$$;
create trigger record_invitation after insert or delete on public.invitations
  for each row execute function private.record_invitation();

-- The name of an action of Supabase's log in this log; null: not shown.
create function private.event_of_action(p_action text) returns text
language sql immutable set search_path = ''
as $$
  select case p_action
    when 'login' then 'sign_in'
    when 'login_failed' then 'sign_in_failed'
    when 'logout' then 'sign_out'
    when 'user_signedup' then 'signed_up'
    when 'user_updated_password' then 'password_changed'
    when 'user_modified' then 'email_changed'
    when 'factor_verified' then 'factor_added'
    when 'factor_deleted' then 'factor_removed'
    when 'factor_unenrolled' then 'factor_removed'
    when 'mfa_failed' then 'second_factor_failed'
    when 'recovery_codes_generated' then 'recovery_codes_made'
    when 'recovery_code_used' then 'recovery_code_used'
  end
$$;

create function private.inet_or_null(p_text text) returns inet
language plpgsql immutable set search_path = ''
as $$
begin
  return nullif(p_text, '')::inet;
exception when others then
  return null;
end
$$;

-- An address cut so far that it only helps to recognise a place: 203.0.113.x, 2001:db8:7::/48.
create function private.coarse_address(p_address inet) returns text
language sql immutable set search_path = ''
as $$
  select case family(p_address)
    when 4 then regexp_replace(host(p_address), '[0-9]+$', 'x')
    when 6 then network(set_masklen(p_address, 48))::text
  end
$$;

-- A page of the log, newest first: at most 200 lines. `p_before` is the id of the last line of the page before (an id is the
-- time in microseconds). Of a member's account it shows what sessions did after they opened the brand; a line without
-- a session, such as a failed sign-in, belongs to no brand. Coarse addresses are shown only to the person themselves, and of
-- the traits of an entry only those named here. Lines from before the brand was founded belong to an earlier brand with this id.
-- Raises NOT_AUTHORIZED to everybody but owners.
create function public.audit_log(p_brand_id uuid, p_before bigint default null, p_limit integer default 50)
returns table (id bigint, at timestamptz, event text, user_id uuid, who text, detail jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer := least(greatest(coalesce(p_limit, 50), 1), 200);
  v_caller uuid := private.caller_id();
  -- Values outside this range would overflow a timestamp.
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
        -- Joined by session: failed sign-ins, of which strangers can make a million, are not read.
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

revoke execute on all functions in schema private from public;
revoke execute on function public.audit_log(uuid, bigint, integer) from public, anon, authenticated;
grant execute on function public.audit_log(uuid, bigint, integer) to authenticated, service_role;

-- The audit log names a person whom the server makes a member at the confirmation of an e-mail address. Before, its line began with 'Somebody',
-- because nobody acts then. And no line names a deleted account.

create function private.name_joined_person() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.user_id := (new.detail ->> 'user_id')::uuid;
  return new;
end
$$;
create trigger name_joined_person before insert on private.brand_events for each row
  when (new.event = 'member_joined' and new.user_id is null) execute function private.name_joined_person();

-- A page of the log, newest first: at most 200 lines. `p_before` is the id of the last line of the page before (an id is the
-- time in microseconds). Of a member's account it shows what sessions did after they opened the brand; a line without
-- a session, such as a failed sign-in, belongs to no brand. Coarse addresses are shown only to the person themselves, and of
-- the traits of an entry only those named here. Lines from before the brand was founded belong to an earlier brand with this id.
-- `detail` has no name of a deleted account. Raises NOT_AUTHORIZED to everybody but owners.
create or replace function public.audit_log(p_brand_id uuid, p_before bigint default null, p_limit integer default 50)
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
    select (extract(epoch from l.at) * 1000000)::bigint, l.at, l.event, l.user_id, coalesce(m.display_name, f.display_name)::text, l.detail
    from (
      (
        select e.at, e.event,
          -- Lines from before this migration have no user if the server made the person a member.
          case when e.event = 'member_joined' then coalesce(e.user_id, (e.detail ->> 'user_id')::uuid) else e.user_id end as user_id,
          case
            when e.detail ? 'name' and not exists (select from auth.users u where u.id = (e.detail ->> 'user_id')::uuid) then e.detail - 'name'
            else e.detail
          end as detail
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
    left join private.former_members f on f.brand_id = p_brand_id and f.user_id = l.user_id
    order by l.at desc
    limit v_limit;
end
$$;

revoke execute on function private.name_joined_person() from public;

-- A write of a session that has ended says so. Row security alone would let it touch no row, which looks like success, or like a
-- record that somebody deleted; the device that sent it must keep it until the next sign-in instead.

-- Raises SESSION_ENDED to a caller whose token is good but whose session is not there any more.
create function private.assert_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if auth.uid() is not null and private.caller_id() is null then
    raise exception 'SESSION_ENDED' using errcode = 'PT401';
  end if;
end
$$;
revoke execute on function private.assert_session() from public;

create or replace function private.assert_member(p_brand_id uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_demand boolean;
begin
  if private.is_service() then
    return;
  end if;
  perform private.assert_session();
  select b.requires_second_factor into v_demand
  from public.memberships m join public.brands b on b.id = m.brand_id
  where m.brand_id = p_brand_id and m.user_id = private.caller_id();
  if not found then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if private.session_level() < (case when v_demand then 2 else 1 end) then
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
end
$$;

-- The only change: a request with a key (a device's queue) asks for a session that lives.
create or replace function private.check_key() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_key text := private.request_key();
  v_user uuid := coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000');
  v_applied record;
begin
  if random() < 0.002 then
    perform private.prune();
  end if;
  if v_key is null then
    return null;
  end if;
  if length(v_key) > 200 then
    raise exception 'The Idempotency-Key is longer than 200 characters.' using errcode = '22023';
  end if;
  perform private.assert_session();
  perform pg_advisory_xact_lock(hashtextextended(v_user || v_key, 0));
  select k.table_name, k.row_id into v_applied
  from private.applied_keys k
  where k.user_id = v_user and k.key = v_key
    and (k.xact is distinct from pg_current_xact_id_if_assigned() or k.applied_at <> now())
  order by k.seq desc
  limit 1;
  if found then
    raise exception 'already applied' using
      errcode = 'PT409',
      detail = json_build_object('table', v_applied.table_name, 'id', v_applied.row_id)::text;
  end if;
  return null;
end
$$;

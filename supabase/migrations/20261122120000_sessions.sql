-- A person's own sessions: where they are signed in, and how to end it. Supabase's client has no call for this.

-- An address as far as it helps to recognise a place, and no further: 203.0.113.x, 2001:db8:7::/48.
create function private.coarse_address(p_address inet) returns text
language sql immutable set search_path = ''
as $$
  select case family(p_address)
    when 4 then regexp_replace(host(p_address), '[0-9]+$', 'x')
    when 6 then network(set_masklen(p_address, 48))::text
  end
$$;

-- The caller's living sessions, this one first, then the newest. `last_seen_at` is as exact as tokens are renewed: an hour.
create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, address text, aal text, is_current boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  return query
    select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'utc'), s.user_agent,
      private.coarse_address(s.ip), coalesce(s.aal::text, 'aal1'), s.id = v_session
    from auth.sessions s
    where s.user_id = v_caller and (s.not_after is null or s.not_after > now())
    order by s.id = v_session desc, 3 desc;
end
$$;

-- Ends one session of the caller at once: its next request sees nothing. Raises NOT_FOUND for one that is not theirs.
create function public.end_session(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  delete from auth.sessions s where s.id = p_id and s.user_id = v_caller;
  if not found then
    raise exception 'NOT_FOUND';
  end if;
end
$$;

-- Ends all but this one; answers how many.
create function public.end_other_sessions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_ended integer;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  delete from auth.sessions s where s.user_id = v_caller and s.id <> (auth.jwt() ->> 'session_id')::uuid;
  get diagnostics v_ended = row_count;
  return v_ended;
end
$$;

revoke execute on function private.coarse_address(inet) from public;
revoke execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions() from public, anon, authenticated;
grant execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions() to authenticated;

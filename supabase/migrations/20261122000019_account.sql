-- A person's own sessions, their data as an export, and the end of their account. Supabase's client has no calls for these.
-- All of it needs the second factor of whoever has one: a stolen password alone opens nothing.

-- SESSIONS

-- The caller's sessions, this one first, then the newest. `last_seen_at` is as exact as tokens are renewed: an hour.
create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, address text, aal text, is_current boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  return query
    select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'utc'), s.user_agent,
      private.coarse_address(s.ip), coalesce(s.aal::text, 'aal1'), s.id = v_session
    from auth.sessions s
    where s.user_id = v_caller and (s.not_after is null or s.not_after > now())
    order by s.id = v_session desc, 3 desc;
end
$$;

-- Ends one session of the caller at once: its next request sees nothing. Raises NOT_FOUND for a session that is not theirs.
create function public.end_session(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = v_caller;
  if not found then
    raise exception 'NOT_FOUND' using errcode = 'BY006';
  end if;
end
$$;

-- Ends all sessions but this one; answers how many.
create function public.end_other_sessions() returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_ended integer;
begin
  delete from auth.sessions s where s.user_id = v_caller and s.id <> (auth.jwt() ->> 'session_id')::uuid;
  get diagnostics v_ended = row_count;
  return v_ended;
end
$$;

-- EXPORT

-- The caller's records, starting at a table and after the key of a row: at most 2,000 and 8 MB. `next`: where to go on, or null.
create function private.my_records(p_caller uuid, p_table text, p_after text, out records json, out next json)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_brands uuid[] := array(select private.my_brand_ids());
  v_after uuid[] := string_to_array(p_after, '~')::uuid[];
  v_rows_left integer := 2000;
  v_bytes_left integer := private.answer_bytes() / 2;
  v_table record;
  v_row record;
  v_last text;
  v_rows text[];
  v_tables text[] := '{}';
begin
  if p_table is not null and not exists (
    select from private.synced_tables s where s.name = p_table and s.name not in ('brands', 'memberships')
  ) then
    raise exception 'p_table names no table of the export.' using errcode = '22023';
  end if;
  <<tables>>
  for v_table in
    select s.name,
      (select string_agg(format('r.%I = $1', a.attname), ' or ') from pg_catalog.pg_attribute a
       where a.attrelid = format('public.%I', s.name)::regclass and not a.attisdropped
         and a.attname in ('owner_id', 'assignee_id', 'created_by')) as is_theirs,
      s.kept_back
    from private.synced_tables s
    where s.name not in ('brands', 'memberships')
      and (p_table is null or s.position >= (select f.position from private.synced_tables f where f.name = p_table))
    order by s.position
  loop
    v_rows := '{}';
    v_last := null;
    -- The limit comes first: otherwise the JSON of every record would be built and sorted for each page.
    for v_row in execute format(
      'select p.brand_id || ''~'' || p.id as key, (to_jsonb(p) - $2)::text as data
       from (
         select * from public.%I r
         where r.brand_id = any ($3) and (%s) and ($4 is null or (r.brand_id, r.id) > ($4, $5))
         order by r.brand_id, r.id limit $6
       ) p
       order by p.brand_id, p.id', v_table.name, v_table.is_theirs)
    using p_caller, v_table.kept_back, v_brands,
      case when v_table.name = p_table then v_after[1] end, case when v_table.name = p_table then v_after[2] end, v_rows_left + 1
    loop
      if v_rows_left = 0 or (v_bytes_left < octet_length(v_row.data) and v_rows_left < 2000) then
        v_tables := v_tables || (to_json(v_table.name) || ':[' || array_to_string(v_rows, ',') || ']');
        next := json_build_object('table', v_table.name, 'after', coalesce(v_last, case when v_table.name = p_table then p_after end));
        exit tables;
      end if;
      v_rows := v_rows || v_row.data;
      v_last := v_row.key;
      v_rows_left := v_rows_left - 1;
      v_bytes_left := v_bytes_left - octet_length(v_row.data);
    end loop;
    v_tables := v_tables || (to_json(v_table.name) || ':[' || array_to_string(v_rows, ',') || ']');
  end loop;
  records := '{' || array_to_string(v_tables, ',') || '}';
end
$$;

-- What this installation stores about the caller: the account, its factors and sessions, and in the brands that are open to this
-- session the membership and the records that they own or made. Where `next` is not null there are more records: called again
-- with its `table` and `after`, it answers { records, next } alone.
create function public.export_my_data(p_table text default null, p_after text default null) returns json
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
    'records', v_page.records,
    'next', v_page.next
  );
end
$$;

-- THE END OF AN ACCOUNT

-- Whether the caller's token was issued with one of these kinds of proof within the last five minutes.
create function private.proved_lately(p_methods text[]) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select from jsonb_array_elements(
      case jsonb_typeof(auth.jwt() -> 'amr') when 'array' then auth.jwt() -> 'amr' else '[]'::jsonb end
    ) a
    where jsonb_typeof(a) = 'object' and a ->> 'method' = any (p_methods)
      and to_timestamp((a ->> 'timestamp')::double precision) > now() - interval '5 minutes'
  );
end
$$;

-- Deletes the caller's account, sessions and memberships; records stay with their brands, without an owner. The password has to
-- be proved just before (a new sign-in), and the second factor where there is one: else REAUTHENTICATION_NEEDED, which the
-- screen answers with one dialog for both. Raises LAST_OWNER with the brands, as JSON in the detail, that must be handed
-- over or deleted first.
create function public.delete_my_account() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
  v_level integer := private.session_level();
  v_brands jsonb;
begin
  if v_caller is null then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if v_level = 0 or not private.proved_lately('{password,otp,recovery,invite}') or (
    exists (select from auth.mfa_factors f where f.user_id = v_caller and f.status::text = 'verified')
    and not private.proved_lately('{totp,phone,webauthn,mfa/totp,mfa/phone,mfa/webauthn,mfa/recovery_code}')
  ) then
    raise exception 'REAUTHENTICATION_NEEDED' using errcode = 'BY004';
  end if;
  select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name) order by b.name) into v_brands
  from public.memberships m join public.brands b on b.id = m.brand_id
  where m.user_id = v_caller and m.role = 'owner' and not exists (
    select from public.memberships o where o.brand_id = m.brand_id and o.role = 'owner' and o.user_id <> v_caller
  );
  if v_brands is not null then
    raise exception 'LAST_OWNER' using errcode = 'BY001', detail = v_brands::text;
  end if;
  delete from auth.users u where u.id = v_caller;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions(),
  public.export_my_data(text, text), public.delete_my_account() from public, anon, authenticated;
grant execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions(),
  public.export_my_data(text, text), public.delete_my_account() to authenticated;

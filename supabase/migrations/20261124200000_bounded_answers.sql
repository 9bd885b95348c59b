-- What grows with the data is answered in pages that have a size: rows are bounded where they are asked for, bytes here. What
-- cannot be cut raises SQLSTATE 54000 (413): the caller asks for fewer rows.

-- The most that one of these answers may hold. Bytes.
create function private.answer_bytes() returns integer
language sql immutable set search_path = ''
as $$
  select 16000000
$$;

create function private.assert_answer_size(p_bytes bigint) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_bytes > private.answer_bytes() then
    raise exception 'The answer is larger than % MB. Ask for fewer rows.', private.answer_bytes() / 1000000 using errcode = '54000';
  end if;
end
$$;

-- As before, and pages end where they have become large: `complete` is false then, as it is where they have many rows.
create or replace function public.pull(p_brand_id uuid, p_cursor text default null, p_tables text[] default null, p_limit integer default 1000)
returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_limit integer := least(greatest(coalesce(p_limit, 1000), 1), 5000);
  -- More rows than that only where so many were small.
  v_rows integer := least(v_limit, 1000);
  v_most constant integer := private.answer_bytes() / 2;
  v_page json;
  v_bytes bigint;
begin
  if auth.uid() is not null and private.caller_id() is null then
    raise exception 'SESSION_ENDED' using errcode = 'PT401';
  end if;
  perform private.assert_member(p_brand_id);
  if exists (select from unnest(p_tables) t (name) where t.name is null or t.name not in (select s.name from private.synced_tables s)) then
    raise exception 'p_tables names a table that is not synchronised.' using errcode = '22023';
  end if;
  -- Where the cluster was exchanged and no server of ours was started since: the new transaction ids are below the old revs.
  if (select s.cluster from private.sync_state s) is distinct from private.cluster_identity() then
    perform private.raise_epoch();
  end if;
  loop
    v_page := private.pull_page(p_brand_id, p_cursor, p_tables, v_rows);
    -- Its size as it lies in memory: a cast would write all of it once more.
    v_bytes := pg_column_size(v_page);
    if v_bytes > v_most and v_rows > 1 then
      -- A page anew, of as many rows as should fit. From here on it only shrinks.
      v_rows := greatest(1, least(v_rows / 2, floor(v_rows * 0.8 * v_most / v_bytes)::integer));
      v_limit := v_rows;
    elsif v_rows < v_limit and not (v_page ->> 'complete')::boolean and v_bytes * v_limit / v_rows <= v_most then
      v_rows := v_limit;
    else
      return v_page;
    end if;
  end loop;
end
$$;

-- As before, and never more than an answer may hold.
create or replace function private.companies_json(p_brand_id uuid, p_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most constant integer := private.answer_bytes();
  v_rows json;
  v_bytes bigint;
begin
  -- `offset 0`: each row's JSON is made once.
  select coalesce(json_agg(s.data order by s.place) filter (where s.bytes <= v_most), '[]'), max(s.bytes) into v_rows, v_bytes
  from (
    select r.place, r.data, sum(pg_column_size(r.data)) over (order by r.place rows unbounded preceding) as bytes
    from (
      select i.place, to_json(c) as data
      from unnest(p_ids) with ordinality i (id, place)
      join public.companies c on c.brand_id = p_brand_id and c.id = i.id
      offset 0
    ) r
  ) s;
  perform private.assert_answer_size(v_bytes);
  return v_rows;
end
$$;

-- The board as before; of very many stages each shows fewer cards.
alter function public.board(uuid, integer, uuid) rename to board_page;
alter function public.board_page(uuid, integer, uuid) set schema private;

create function public.board(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stages bigint;
  v_board json;
begin
  perform private.assert_member(p_brand_id);
  select count(*) into v_stages from public.deal_stages s where s.brand_id = p_brand_id;
  v_board := private.board_page(p_brand_id, least(coalesce(p_cards, 20), 1 + 5000 / greatest(v_stages, 1))::integer, p_owner_id);
  perform private.assert_answer_size(pg_column_size(v_board));
  return v_board;
end
$$;

-- The caller's records from a table and the key of a row on: at most 2,000 and 8 MB. `next`: where to go on, or null.
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
    -- The page is cut first: in one `select` the JSON of every record would be made, and sorted with it, at each page.
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

-- What this installation holds about the caller: the account, its factors and sessions, and in the brands that are open to
-- this session the membership and the records that are theirs or that they made. Where `next` is not null the records go on:
-- called again with its table and its `after`, it answers { records, next } alone.
drop function public.export_my_data();
drop function private.collect_my_data();
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
    raise exception 'SECOND_FACTOR_REQUIRED';
  end if;
  select * into v_page from private.my_records(v_caller, p_table, p_after);
  -- One line an export, wherever it begins; none in a brand that the caller has not opened.
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

revoke execute on all functions in schema private from public;
revoke execute on function private.board_page(uuid, integer, uuid) from authenticated, service_role;
revoke execute on function public.board(uuid, integer, uuid), public.export_my_data(text, text) from public, anon, authenticated;
grant execute on function public.board(uuid, integer, uuid) to authenticated, service_role;
grant execute on function public.export_my_data(text, text) to authenticated;

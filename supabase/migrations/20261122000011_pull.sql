-- How a device gets the rows that it does not have yet.

-- Answers { epoch, cursor, full, complete, rows: { table: [rows] }, tombstones: [{ table, id }], counts: { table: n } }: a page of
-- at most p_limit rows and 8 MB.
-- p_cursor: null starts from the beginning; 'now' answers a cursor from here on and no rows; else the cursor of the last page.
-- `full`: the page belongs to a pull from the beginning, asked for or forced (another epoch, a cursor older than the tombstones).
-- When it is complete, rows that it did not answer no longer exist. A row may be answered twice, in the same or a later
-- version; none is left out. Counts come with the first page, and with the last page of a pull that answered rows.
-- Raises NOT_AUTHORIZED to everybody who is no member: an empty answer always means that nothing is new.
create function public.pull(p_brand_id uuid, p_cursor text default null, p_tables text[] default null, p_limit integer default 1000)
returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_limit integer := least(greatest(coalesce(p_limit, 1000), 1), 5000);
  -- More than 1,000 rows only if the first 1,000 were small.
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
  -- The cluster was exchanged and the bundled server has not started since: new transaction ids are below the old revs.
  if (select s.cluster from private.sync_state s) is distinct from private.cluster_identity() then
    perform private.raise_epoch();
  end if;
  loop
    v_page := private.pull_page(p_brand_id, p_cursor, p_tables, v_rows);
    -- The size in memory: a cast to text would copy the whole page.
    v_bytes := pg_column_size(v_page);
    if v_bytes > v_most and v_rows > 1 then
      -- Tries again with as many rows as should fit. From here on the page only shrinks.
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

-- A cursor is text of one of these kinds, its parts separated by '~':
--   epoch~c~since                              everything before `since` was answered
--   epoch~f~horizon~table~key                  within a pull from the beginning, after this key of this table
--   epoch~i~horizon~since~table~rev~key        within a pull of changes, after this rev and key of this table
--                                              ('' is the tombstones, which carry their table behind the key)
-- The horizon is the rev of the oldest transaction that was still running when the first page was made. What is older was visible
-- then; what is newer comes with the next pull, which starts at the horizon.
-- `stable`: all its statements read the one snapshot of the statement that calls it.
create function private.pull_page(p_brand_id uuid, p_cursor text, p_tables text[], p_limit integer) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_epoch text := private.current_epoch();
  v_state private.sync_state;
  v_horizon bigint;
  v_parts text[] := string_to_array(p_cursor, '~');
  v_kind text;
  v_since bigint;
  v_at_table text;
  v_at_rev bigint;
  v_at_key text;
  v_table record;
  v_page record;
  v_left integer := p_limit;
  v_rows text[] := '{}';
  v_tombstones json := '[]';
  v_cursor text;
  v_counts boolean;
begin
  select * into v_state from private.sync_state;
  v_horizon := v_state.base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  v_counts := p_cursor is null or p_cursor = 'now';

  if p_cursor = 'now' then
    v_kind := 'now';
    v_cursor := concat_ws('~', v_epoch, 'c', v_horizon);
  else
    -- A cursor that cannot be continued, or is not a cursor, starts a pull from the beginning.
    begin
      if v_parts[1] = v_epoch then
        case v_parts[2]
          when 'c' then
            v_since := v_parts[3]::bigint;
          when 'f' then
            v_horizon := v_parts[3]::bigint;
            v_at_table := v_parts[4];
            v_at_key := v_parts[5]::uuid;
          when 'i' then
            v_horizon := v_parts[3]::bigint;
            v_since := v_parts[4]::bigint;
            v_at_table := v_parts[5];
            v_at_rev := v_parts[6]::bigint;
            v_at_key := v_parts[7]::uuid;
        end case;
        if least(v_since, v_horizon) > v_state.pruned_through and (v_at_table is null or v_at_table = ''
          or v_at_table in (select s.name from private.synced_tables s)) then
          v_kind := v_parts[2];
        end if;
      end if;
    exception when data_exception or case_not_found then
      null;
    end;
  end if;

  if v_kind is null then
    v_kind := 'f';
    v_horizon := v_state.base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
    v_at_table := null;
  end if;

  for v_table in
    select s.name, s.key_column, s.brand_column, s.position,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
       from pg_attribute a
       where a.attrelid = format('public.%I', s.name)::regclass and a.attnum > 0 and not a.attisdropped
         and a.attname <> all (s.kept_back)
      ) as columns
    from private.synced_tables s
    where v_kind <> 'now' and (p_tables is null or s.name = any (p_tables))
      and (v_at_table is null or s.position >= (select a.position from private.synced_tables a where a.name = v_at_table))
    order by s.position
  loop
    if v_kind = 'f' then
      execute format(
        'select json_agg(p order by p.%2$I)::text as rows, count(*)::integer as n, null::bigint as last_rev, max(p.%2$I::text collate "C") as last_key
         from (select %3$s from public.%1$I where %4$I = $1 and ($2 is null or %2$I > $2) order by %2$I limit $3) p',
        v_table.name, v_table.key_column, v_table.columns, v_table.brand_column)
      into v_page
      using p_brand_id,
        case when v_table.name = v_at_table then v_at_key end::uuid,
        v_left;
    else
      execute format(
        'select json_agg(p order by p.rev, p.%2$I)::text as rows, count(*)::integer as n, max(p.rev) as last_rev,
           (array_agg(p.%2$I::text order by p.rev desc, p.%2$I desc))[1] as last_key
         from (select %3$s from public.%1$I where %4$I = $1 and rev >= $2 and (rev, %2$I) > ($3, $4)
               order by rev, %2$I limit $5) p',
        v_table.name, v_table.key_column, v_table.columns, v_table.brand_column)
      into v_page
      using p_brand_id, v_since,
        case when v_table.name = v_at_table then v_at_rev else v_since - 1 end,
        case when v_table.name = v_at_table then v_at_key else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end::uuid,
        v_left;
    end if;
    if v_page.n > 0 then
      v_rows := v_rows || (to_json(v_table.name) || ':' || v_page.rows);
      v_left := v_left - v_page.n;
    end if;
    if v_left = 0 then
      v_cursor := case v_kind
        when 'f' then concat_ws('~', v_epoch, 'f', v_horizon, v_table.name, v_page.last_key)
        else concat_ws('~', v_epoch, 'i', v_horizon, v_since, v_table.name, v_page.last_rev, v_page.last_key)
      end;
      exit;
    end if;
  end loop;

  if v_kind in ('c', 'i') and v_left > 0 then
    select json_agg(json_build_object('table', p.table_name, 'id', p.row_id) order by p.rev, p.row_id, p.table_name) as tombstones, count(*)::integer as n,
      max(p.rev) as last_rev,
      (array_agg(concat_ws('~', p.row_id, p.table_name) order by p.rev desc, p.row_id desc, p.table_name desc))[1] as last_key
    into v_page
    from (
      select t.table_name, t.row_id, t.rev from private.tombstones t
      where t.brand_id = p_brand_id and t.rev >= v_since
        and (v_at_table is distinct from '' or (t.rev, t.row_id, t.table_name) > (v_at_rev, v_at_key::uuid, v_parts[8]))
        and (p_tables is null or t.table_name = any (p_tables))
      order by t.rev, t.row_id, t.table_name limit v_left
    ) p;
    if v_page.n > 0 then
      v_tombstones := v_page.tombstones;
      v_left := v_left - v_page.n;
    end if;
    if v_left = 0 then
      v_cursor := concat_ws('~', v_epoch, 'i', v_horizon, v_since, '', v_page.last_rev, v_page.last_key);
    end if;
  end if;

  if v_cursor is null then
    v_counts := v_counts or v_left < p_limit or v_kind = 'f' or v_parts[2] = 'i';
    v_cursor := concat_ws('~', v_epoch, 'c', v_horizon);
  end if;
  return '{"epoch":' || to_json(v_epoch) || ',"cursor":' || to_json(v_cursor)
    || ',"full":' || (v_kind = 'f')::text || ',"complete":' || (split_part(v_cursor, '~', 2) = 'c')::text
    || ',"rows":{' || array_to_string(v_rows, ',') || '},"tombstones":' || v_tombstones
    || case when v_counts then ',"counts":' || private.row_counts(p_brand_id, p_tables) else '' end || '}';
end
$$;

-- How many rows a brand has in each of these tables.
create function private.row_counts(p_brand_id uuid, p_tables text[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_table record;
  v_count bigint;
  v_counts text[] := '{}';
begin
  for v_table in
    select s.name, s.brand_column from private.synced_tables s
    where p_tables is null or s.name = any (p_tables) order by s.position
  loop
    execute format('select count(*) from public.%I where %I = $1', v_table.name, v_table.brand_column)
    into v_count using p_brand_id;
    v_counts := v_counts || (to_json(v_table.name) || ':' || v_count);
  end loop;
  return '{' || array_to_string(v_counts, ',') || '}';
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.pull(uuid, text, text[], integer) from public, anon, authenticated;
grant execute on function public.pull(uuid, text, text[], integer) to authenticated, service_role;

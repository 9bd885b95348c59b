-- A tombstone in a pull has the last version of its row. A device compares it with the row of a late answer: that row is older than the
-- deletion unless its version is higher, because a row that is restored continues its version (clear_tombstone).

-- A cursor is text of one of these kinds, its parts separated by '~':
--   epoch~c~since                              everything before `since` was answered
--   epoch~f~horizon~table~key                  within a pull from the beginning, after this key of this table
--   epoch~i~horizon~since~table~rev~key        within a pull of changes, after this rev and key of this table
--                                              ('' is the tombstones, which carry their table behind the key)
-- The horizon is the rev of the oldest transaction that was still running when the first page was made. What is older was visible
-- then; what is newer comes with the next pull, which starts at the horizon.
-- `stable`: all its statements read the one snapshot of the statement that calls it.
create or replace function private.pull_page(p_brand_id uuid, p_cursor text, p_tables text[], p_limit integer) returns json
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
  v_changed text[];
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

  if v_kind in ('c', 'i') then
    v_changed := private.changed_tables(p_brand_id, v_since);
  end if;

  for v_table in
    select s.name, s.key_column, s.brand_column, s.position,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
       from pg_attribute a
       where a.attrelid = format('public.%I', s.name)::regclass and a.attnum > 0 and not a.attisdropped
         and a.attname <> all (s.kept_back)
      ) as columns
    from private.synced_tables s
    where (v_kind = 'f' or s.name = any (v_changed)) and (p_tables is null or s.name = any (p_tables))
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
    select json_agg(json_build_object('table', p.table_name, 'id', p.row_id, 'version', p.version) order by p.rev, p.row_id, p.table_name) as tombstones,
      count(*)::integer as n,
      max(p.rev) as last_rev,
      (array_agg(concat_ws('~', p.row_id, p.table_name) order by p.rev desc, p.row_id desc, p.table_name desc))[1] as last_key
    into v_page
    from (
      select t.table_name, t.row_id, t.rev, t.version from private.tombstones t
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

revoke execute on all routines in schema private from public;

-- What was deleted comes back, as far as its place is still free.

-- Restores deleted records of one table: the row with its id, what it pointed at and what pointed at it, where that is
-- still there and has not got something else meanwhile. Answers the ids that came back; an id that was never deleted, was
-- deleted too long ago, or whose e-mail is taken, does not.
create function public.restore_records(p_brand_id uuid, p_table text, p_ids uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_columns text;
  v_stone private.tombstones;
  v_restored jsonb := '[]';
begin
  perform private.assert_member(p_brand_id);
  if p_table not in (select s.name from private.synced_tables s where s.key_column = 'id' and s.name <> 'brands') then
    raise exception 'Records of % cannot be restored.', p_table using errcode = '22023';
  end if;
  if p_table = 'deal_stages' and not private.is_service()
    and p_brand_id not in (select private.my_led_brand_ids()) then
    raise exception 'NOT_AUTHORIZED';
  end if;
  if cardinality(p_ids) > 1000 then
    raise exception 'At most 1000 records can be restored at once.' using errcode = '22023';
  end if;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into v_columns
  from pg_attribute a
  where a.attrelid = format('public.%I', p_table)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';

  for v_stone in
    select * from private.tombstones t
    where t.brand_id = p_brand_id and t.table_name = p_table and t.row_id = any (p_ids) and t.row_data is not null
    order by t.row_id for update
  loop
    begin
      execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)', p_table, v_columns)
      using private.without_lost_links(v_stone);
      perform private.restore_links(v_stone);
      v_restored := v_restored || to_jsonb(v_stone.row_id);
    exception when unique_violation then
      -- Not free any more.
      null;
    end;
  end loop;
  return v_restored;
end
$$;

-- The row as it was, without what it pointed at that has gone since. A deal whose stage has gone returns to the first one.
create function private.without_lost_links(p_stone private.tombstones) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row jsonb := p_stone.row_data;
  v_link record;
  v_present boolean;
begin
  for v_link in
    select c.confrelid::regclass as parent, child.attname as child_column, parent.attname as parent_column
    from pg_constraint c
    join pg_attribute child on child.attrelid = c.conrelid and child.attnum = c.conkey[2]
    join pg_attribute parent on parent.attrelid = c.confrelid and parent.attnum = c.confkey[2]
    where c.conrelid = format('public.%I', p_stone.table_name)::regclass and c.contype = 'f' and cardinality(c.conkey) = 2
  loop
    if v_row ->> v_link.child_column is null then
      continue;
    end if;
    -- Locked, so that it cannot go before this is committed.
    execute format('select true from %s where brand_id = $1 and %I = $2 for key share', v_link.parent, v_link.parent_column)
    into v_present using p_stone.brand_id, (v_row ->> v_link.child_column)::uuid;
    if v_present is null then
      v_row := v_row || jsonb_build_object(v_link.child_column, case when v_link.child_column = 'stage_id' then (
        select s.id from public.deal_stages s where s.brand_id = p_stone.brand_id order by s.position, s.id limit 1
      ) end);
    end if;
  end loop;
  return v_row;
end
$$;

-- What pointed at the row points at it again, unless it points at something else now.
create function private.restore_links(p_stone private.tombstones) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_link record;
begin
  for v_link in
    select l ->> 'table' as child, l ->> 'column' as child_column, array_agg((l ->> 'id')::uuid) as ids
    from jsonb_array_elements(p_stone.links) l
    group by 1, 2
  loop
    execute format('update public.%1$I set %2$I = $1 where brand_id = $2 and id = any ($3) and %2$I is null', v_link.child, v_link.child_column)
    using p_stone.row_id, p_stone.brand_id, v_link.ids;
  end loop;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.restore_records(uuid, text, uuid[]) from public, anon, authenticated;
grant execute on function public.restore_records(uuid, text, uuid[]) to authenticated, service_role;

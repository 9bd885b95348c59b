-- Restoring deleted records, as far as their keys are still free.

-- Restores deleted records of one table: the row with its id and its links in both directions, where the other row still exists
-- and has got no other link meanwhile. The row keeps its maker. Answers the ids that were restored. An id that was never
-- deleted, was deleted more than 30 days ago, or whose e-mail is taken, is left out. Stages are restored by admins.
create function public.restore_records(p_brand_id uuid, p_table text, p_ids uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_columns text;
  v_tombstone private.tombstones;
  v_restored jsonb := '[]';
begin
  perform private.assert_member(p_brand_id);
  if p_table not in (select s.name from private.synced_tables s where s.key_column = 'id' and s.name <> 'brands') then
    raise exception 'Records of % cannot be restored.', p_table using errcode = '22023';
  end if;
  if p_table = 'deal_stages' then
    perform private.assert_role(p_brand_id, 'admin');
  end if;
  if cardinality(p_ids) > 1000 then
    raise exception 'At most 1000 records can be restored at once.' using errcode = '22023';
  end if;
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into v_columns
  from pg_attribute a
  where a.attrelid = format('public.%I', p_table)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';

  for v_tombstone in
    select * from private.tombstones t
    where t.brand_id = p_brand_id and t.table_name = p_table and t.row_id = any (p_ids) and t.row_data is not null
    order by t.row_id for update
  loop
    begin
      perform set_config('private.restoring', 'on', true);
      execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)', p_table, v_columns)
      using private.without_lost_links(v_tombstone);
      perform set_config('private.restoring', '', true);
      perform private.restore_links(v_tombstone);
      v_restored := v_restored || to_jsonb(v_tombstone.row_id);
    exception when unique_violation then
      -- The key or e-mail is taken. The setting was rolled back too.
      null;
    end;
  end loop;
  return v_restored;
end
$$;

-- The row as it was, without links to rows that are gone. A deal whose stage is gone gets the first stage. Where the other
-- row has a tombstone, the link is added to that tombstone, so that restoring the other row restores the link.
create function private.without_lost_links(p_tombstone private.tombstones) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row jsonb := p_tombstone.row_data;
  v_link record;
  v_present boolean;
begin
  for v_link in
    select c.confrelid::regclass as parent, r.relname as parent_name, child.attname as child_column, parent.attname as parent_column
    from pg_constraint c
    join pg_class r on r.oid = c.confrelid
    join pg_attribute child on child.attrelid = c.conrelid and child.attnum = c.conkey[2]
    join pg_attribute parent on parent.attrelid = c.confrelid and parent.attnum = c.confkey[2]
    where c.conrelid = format('public.%I', p_tombstone.table_name)::regclass and c.contype = 'f' and cardinality(c.conkey) = 2
  loop
    if v_row ->> v_link.child_column is null then
      continue;
    end if;
    -- The lock keeps the parent until this transaction ends.
    execute format('select true from %s where brand_id = $1 and %I = $2 for key share', v_link.parent, v_link.parent_column)
    into v_present using p_tombstone.brand_id, (v_row ->> v_link.child_column)::uuid;
    if v_present is null then
      -- Where the parent has a tombstone, restoring the parent restores the link.
      update private.tombstones t
      set links = coalesce(t.links, '[]') || jsonb_build_object('table', p_tombstone.table_name, 'column', v_link.child_column, 'id', p_tombstone.row_id)
      where t.brand_id = p_tombstone.brand_id and t.table_name = v_link.parent_name and t.row_id = (v_row ->> v_link.child_column)::uuid
        and t.row_data is not null;
      v_row := v_row || jsonb_build_object(v_link.child_column, case when v_link.child_column = 'stage_id' then (
        select s.id from public.deal_stages s where s.brand_id = p_tombstone.brand_id order by s.position, s.id limit 1
      ) end);
    end if;
  end loop;
  return v_row;
end
$$;

-- Rows that had a link to the restored row get it back, unless they link to another row now. A row that is deleted itself gets
-- the link in its tombstone.
create function private.restore_links(p_tombstone private.tombstones) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_link record;
begin
  for v_link in
    select l ->> 'table' as child, l ->> 'column' as child_column, array_agg((l ->> 'id')::uuid) as ids
    from jsonb_array_elements(p_tombstone.links) l
    group by 1, 2
  loop
    execute format('update public.%1$I set %2$I = $1 where brand_id = $2 and id = any ($3) and %2$I is null', v_link.child, v_link.child_column)
    using p_tombstone.row_id, p_tombstone.brand_id, v_link.ids;
    update private.tombstones t
    set row_data = t.row_data || jsonb_build_object(v_link.child_column, p_tombstone.row_id)
    where t.brand_id = p_tombstone.brand_id and t.table_name = v_link.child and t.row_id = any (v_link.ids)
      and t.row_data ->> v_link.child_column is null and t.row_data is not null;
  end loop;
end
$$;

-- Answers {"by": user id or null, "at": time} of a deleted record for 90 days, else null: what a person is told whose edit
-- came too late.
create function public.record_deletion(p_brand_id uuid, p_table text, p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    select jsonb_build_object('by', t.deleted_by, 'at', t.deleted_at) from private.tombstones t
    where t.brand_id = p_brand_id and t.table_name = p_table and t.row_id = p_id
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.restore_records(uuid, text, uuid[]), public.record_deletion(uuid, text, uuid)
  from public, anon, authenticated;
grant execute on function public.restore_records(uuid, text, uuid[]), public.record_deletion(uuid, text, uuid)
  to authenticated, service_role;

-- What comes back is the same: also where two linked records are deleted and brought back in whatever order, and where nobody
-- in particular made the row.

-- As before; and a row that pointed at this one and is itself still buried gets the link back when it returns.
create or replace function private.restore_links(p_stone private.tombstones) returns void
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
    update private.tombstones t
    set row_data = t.row_data || jsonb_build_object(v_link.child_column, p_stone.row_id)
    where t.brand_id = p_stone.brand_id and t.table_name = v_link.child and t.row_id = any (v_link.ids)
      and t.row_data ->> v_link.child_column is null and t.row_data is not null;
  end loop;
end
$$;

-- As before; and what it pointed at and is buried itself is told, so that it brings the link back.
create or replace function private.without_lost_links(p_stone private.tombstones) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row jsonb := p_stone.row_data;
  v_link record;
  v_present boolean;
begin
  for v_link in
    select c.confrelid::regclass as parent, r.relname as parent_name, child.attname as child_column, parent.attname as parent_column
    from pg_constraint c
    join pg_class r on r.oid = c.confrelid
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
      -- Where it is only buried, it brings the link with it when it returns.
      update private.tombstones t
      set links = coalesce(t.links, '[]') || jsonb_build_object('table', p_stone.table_name, 'column', v_link.child_column, 'id', p_stone.row_id)
      where t.brand_id = p_stone.brand_id and t.table_name = v_link.parent_name and t.row_id = (v_row ->> v_link.child_column)::uuid
        and t.row_data is not null;
      v_row := v_row || jsonb_build_object(v_link.child_column, case when v_link.child_column = 'stage_id' then (
        select s.id from public.deal_stages s where s.brand_id = p_stone.brand_id order by s.position, s.id limit 1
      ) end);
    end if;
  end loop;
  return v_row;
end
$$;

-- Before each row, as before; only who made it is not guessed while rows come back.
create or replace function private.stamp() returns trigger
language plpgsql
as $$
declare
  v_rev text := current_setting('private.rev', true);
begin
  if coalesce(v_rev, '') = '' then
    v_rev := set_config('private.rev', private.current_rev()::text, true);
  end if;
  new.rev := v_rev::bigint;
  new.updated_at := now();
  new.updated_by := auth.uid();
  if tg_op = 'INSERT' then
    -- A row that nobody in particular made is not made by who brings it back.
    if new.created_by is null and coalesce(current_setting('private.restoring', true), '') = '' then
      new.created_by := new.updated_by;
    end if;
  else
    -- Only a row that came back (unbury) names a higher version.
    new.version := greatest(old.version, new.version) + 1;
    new.created_at := old.created_at;
    new.created_by := old.created_by;
  end if;
  return new;
end
$$;

-- As before, and the row keeps its maker, also where that is nobody.
create or replace function public.restore_records(p_brand_id uuid, p_table text, p_ids uuid[]) returns jsonb
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
      perform set_config('private.restoring', 'on', true);
      execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)', p_table, v_columns)
      using private.without_lost_links(v_stone);
      perform set_config('private.restoring', '', true);
      perform private.restore_links(v_stone);
      v_restored := v_restored || to_jsonb(v_stone.row_id);
    exception when unique_violation then
      -- Not free any more. (The setting went back with the rest.)
      null;
    end;
  end loop;
  return v_restored;
end
$$;

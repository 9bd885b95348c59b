-- A deal that comes back after its stage was deleted comes into the first stage of the same pipeline.

-- For a stage that was deleted: the first one of its pipeline, or, where that is gone too, of the first pipeline.
create function private.stage_instead_of(p_brand_id uuid, p_stage_id uuid) returns uuid
language sql stable set search_path = ''
as $$
  select s.id from public.deal_stages s
  join public.pipelines p on p.brand_id = s.brand_id and p.id = s.pipeline_id
  left join private.tombstones t on t.brand_id = p_brand_id and t.table_name = 'deal_stages' and t.row_id = p_stage_id
  where s.brand_id = p_brand_id
  order by p.id::text is distinct from t.row_data ->> 'pipeline_id', p.position, p.id, s.position, s.id limit 1
$$;

-- The row as it was, without links to rows that are gone. A deal whose stage is gone gets another one. Where the other
-- row has a tombstone, the link is added to that tombstone, so that restoring the other row restores the link.
create or replace function private.without_lost_links(p_tombstone private.tombstones) returns jsonb
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
      v_row := v_row || jsonb_build_object(v_link.child_column, case when v_link.child_column = 'stage_id' then
        private.stage_instead_of(p_tombstone.brand_id, (v_row ->> 'stage_id')::uuid)
      end);
    end if;
  end loop;
  return v_row;
end
$$;

revoke execute on all routines in schema private from public;

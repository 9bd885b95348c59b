-- A record that comes back gets its links, as far as no later link was put in their place. A deal that lost its contact, got another one and
-- lost that too, gets the second one back, whichever of the two is restored first.

-- What restore_links compares with: few deletes clear links.
create index tombstones_with_links_idx on private.tombstones (brand_id, table_name, rev) where links <> '[]';

-- Rows that had a link to the restored row get it back, unless they link to another row now, or linked to one that was deleted later and can
-- still come back: their last link wins. A row that is deleted itself gets the link in its tombstone.
create or replace function private.restore_links(p_tombstone private.tombstones) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_link record;
begin
  if p_tombstone.links is null or p_tombstone.links = '[]' then
    return;
  end if;
  for v_link in
    select l.link ->> 'table' as child, l.link ->> 'column' as child_column, array_agg((l.link ->> 'id')::uuid) as ids
    from (
      select jsonb_array_elements(p_tombstone.links) as link
      except
      select jsonb_array_elements(t.links) from private.tombstones t
      where t.brand_id = p_tombstone.brand_id and t.table_name = p_tombstone.table_name and t.rev > p_tombstone.rev and t.links <> '[]'
    ) l
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

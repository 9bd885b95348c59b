-- The delete of a large brand, and the end of a membership with many records, can take longer than a request may run. Each of these functions does a
-- part of that work, so that a client can call it until it is done, and then send the delete itself.

-- Deletes up to 2,000 rows of a brand that its owner wants to delete: records first, then histories. Answers { done, count }: done is true, and nothing
-- is deleted, if none of these tables has more than 2,000 rows. Tombstones stay, because devices need them until the brand itself is deleted.
-- Raises NOT_AUTHORIZED.
create function public.clear_brand(p_brand_id uuid) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_piece constant integer := 2000;
  v_table text;
  v_has_more boolean;
begin
  perform private.assert_role(p_brand_id, 'owner');
  foreach v_table in array array['notes', 'tasks', 'deals', 'contacts', 'companies', 'field_changes', 'deal_stage_changes', 'amount_changes'] loop
    execute format('select count(*) > $2 from (select from public.%I r where r.brand_id = $1 limit $2 + 1) r', v_table)
    into v_has_more using p_brand_id, v_piece;
    if v_has_more then
      execute format(
        'with piece as materialized (select r.id from public.%1$I r where r.brand_id = $1 order by r.id limit $2 for update)
         delete from public.%1$I r using piece p where r.brand_id = $1 and r.id = p.id', v_table)
      using p_brand_id, v_piece;
      return json_build_object('done', false, 'count', v_piece);
    end if;
  end loop;
  return json_build_object('done', true, 'count', 0);
end
$$;

-- Gives up to 2,000 records of a member whose membership is to end to another member `p_to` (null: to nobody). Rights, refusals and the owner columns
-- are those of remove_member. Answers { done, counts }: the numbers of changed records by table, as remove_member. Done is true if no record is left.
create function public.release_records(p_brand_id uuid, p_user_id uuid, p_to uuid default null) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_piece constant integer := 2000;
  v_left integer := v_piece;
  v_role text;
  v_column record;
  v_count integer;
  v_counts jsonb := '{}';
begin
  perform private.assert_member(p_brand_id);
  perform from public.memberships m where m.brand_id = p_brand_id and m.user_id in (p_user_id, p_to) order by m.user_id for no key update;
  -- Checked after the lock: the caller may have been removed meanwhile.
  perform private.assert_member(p_brand_id);
  select m.role into v_role from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_user_id;
  if v_role is null or p_to = p_user_id or (
    p_to is not null and not exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = p_to)
  ) then
    raise exception 'USER_NOT_FOUND';
  end if;
  if p_user_id is distinct from private.caller_id() then
    perform private.assert_role(p_brand_id, case when v_role = 'owner' then 'owner' else 'admin' end);
  end if;
  if v_role = 'owner' and not exists (
    select from public.memberships m where m.brand_id = p_brand_id and m.role = 'owner' and m.user_id <> p_user_id
  ) then
    raise exception 'LAST_OWNER' using errcode = 'BY001', detail = 'A brand keeps at least one owner.';
  end if;
  for v_column in select * from private.owner_columns() loop
    execute format(
      'with piece as materialized (select r.id from public.%1$I r where r.brand_id = $1 and r.%2$I = $2 order by r.id limit $4 for update)
       update public.%1$I r set %2$I = $3 from piece p where r.brand_id = $1 and r.id = p.id',
      v_column.table_name, v_column.column_name)
    using p_brand_id, p_user_id, p_to, v_left;
    get diagnostics v_count = row_count;
    if v_count > 0 then
      v_counts := v_counts || jsonb_build_object(v_column.table_name, v_count);
    end if;
    v_left := v_left - v_count;
    exit when v_left = 0;
  end loop;
  return json_build_object('done', v_left > 0, 'counts', v_counts);
end
$$;

revoke execute on function public.clear_brand(uuid), public.release_records(uuid, uuid, uuid) from public, anon, authenticated;
grant execute on function public.clear_brand(uuid), public.release_records(uuid, uuid, uuid) to authenticated, service_role;

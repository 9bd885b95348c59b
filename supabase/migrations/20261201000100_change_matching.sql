-- A change of all records that a query finds, also of those that no device has: they are deleted, or get another owner.

-- Locks the next records of a filter (private.query_filter, with $2 and $3) and answers their ids. Without nested loops, as
-- query_figures: what is searched is compared at once, whatever the planner knows of new rows.
create function private.lock_matching(
  p_table text, p_filter text, p_brand_id uuid, p_until timestamptz, p_owner uuid, p_limit integer
) returns uuid[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan set enable_nestloop = off
as $$
declare
  v_ids uuid[];
begin
  execute format('select array(select r.id from public.%I r where %s order by r.id limit %s for update)', p_table, p_filter, p_limit)
  into v_ids using p_brand_id, p_until, p_owner;
  return v_ids;
end
$$;

-- Changes at most 500 records of a query (p_query: { table, where, search } of read_queries): call it until the answer says `done`.
-- p_change: { "delete": true }, or { "owner_id": a member or null }. p_until: the `until` of the first answer, so that records
-- that are added meanwhile are left alone. Answers { done, count, ids, until }: how many this call has changed, and which. Every
-- member may: each of these records could be deleted or given away by itself.
create function public.change_matching(p_brand_id uuid, p_query jsonb, p_change jsonb, p_until timestamptz default null) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_table text := p_query ->> 'table';
  v_until timestamptz := coalesce(p_until, now());
  v_owner uuid;
  v_search record;
  v_filter text;
  v_ids uuid[];
begin
  perform private.assert_member(p_brand_id);
  if v_table is null or v_table not in ('contacts', 'companies', 'deals') then
    raise exception 'Contacts, companies and deals can be changed by a query.' using errcode = '22023';
  end if;
  select * into v_search from private.search_filters(v_table, coalesce(p_query ->> 'search', ''), p_brand_id);
  v_filter := private.query_filter(v_table, p_query, v_search.figures) || ' and r.created_at <= $2';
  if p_change = '{"delete": true}' then
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, null, v_piece);
    execute format('delete from public.%I r where r.brand_id = $1 and r.id = any ($2)', v_table) using p_brand_id, v_ids;
  elsif p_change ? 'owner_id' and (select count(*) from jsonb_object_keys(p_change)) = 1 then
    v_owner := (p_change ->> 'owner_id')::uuid;
    if v_owner is not null and not exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_owner) then
      raise exception 'The owner is not a member of this brand.' using errcode = '22023';
    end if;
    v_filter := v_filter || ' and r.owner_id is distinct from $3';
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, v_owner, v_piece);
    execute format('update public.%I r set owner_id = $3 where r.brand_id = $1 and r.id = any ($2)', v_table)
    using p_brand_id, v_ids, v_owner;
  else
    raise exception 'p_change is {"delete": true} or {"owner_id": a member or null}.' using errcode = '22023';
  end if;
  return json_build_object('done', cardinality(v_ids) < v_piece, 'count', cardinality(v_ids), 'ids', v_ids, 'until', v_until);
end
$$;

revoke execute on function private.lock_matching(text, text, uuid, timestamptz, uuid, integer) from public;
revoke execute on function public.change_matching(uuid, jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.change_matching(uuid, jsonb, jsonb, timestamptz) to authenticated, service_role;

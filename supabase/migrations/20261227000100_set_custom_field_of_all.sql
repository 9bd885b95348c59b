-- A custom field of all records that a query finds is set, or emptied (decision 062).

-- The values of p_custom as records store them, by the ids of fields; null: the field is emptied. Raises a sentence where a field is none of this
-- brand and table, was retired, is required and emptied, or takes no such value. A write of one record may empty a required field, as those
-- of before may be without it; a change of all of them may not.
create function private.custom_patch(p_brand_id uuid, p_table text, p_custom jsonb) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most constant integer := 20;
  v_key text;
  v_value jsonb;
  v_field public.custom_fields;
  v_patch jsonb := '{}';
begin
  if (select count(*) from jsonb_object_keys(p_custom)) not between 1 and v_most then
    raise exception '"custom" of p_change has 1 to % fields.', v_most using errcode = '22023';
  end if;
  for v_key, v_value in select * from jsonb_each(p_custom) loop
    select * into v_field from public.custom_fields f
    where f.brand_id = p_brand_id and f."table" = p_table and v_key in (f.id::text, f.key) and f.retired_at is null;
    if not found then
      raise exception 'There is no field % for % that is in use.', left(v_key, 60), p_table using errcode = '22023';
    end if;
    v_value := coalesce(case when v_value <> 'null' then private.custom_value(v_field, v_value) end, 'null');
    if v_field.required and v_value in ('null', '[]') then
      raise exception 'The field "%" is required.', v_field.label using errcode = '22023';
    end if;
    v_patch := v_patch || jsonb_build_object(v_field.id::text, v_value);
  end loop;
  return v_patch;
end
$$;

-- Changes at most 500 records of a query (p_query: { table, where, search } of read_queries): call it until the answer says `done`.
-- p_change: { "delete": true }, { "owner_id": a member or null }, { "add_tags": ids, "remove_tags": ids }, one or both, or { "custom": values by id or key
-- of a field, null empties it }. p_until: the `until` of the first answer, so that records that are added meanwhile are left alone. Answers
-- { done, count, ids, until }: how many this call has changed, and which. Every member may: each of these records could be changed by itself.
create or replace function public.change_matching(p_brand_id uuid, p_query jsonb, p_change jsonb, p_until timestamptz default null) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_table text := p_query ->> 'table';
  v_until timestamptz := coalesce(p_until, now());
  v_owner uuid;
  v_add uuid[];
  v_remove uuid[];
  v_patch jsonb;
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
  elsif p_change ?| array['add_tags', 'remove_tags'] and p_change - array['add_tags', 'remove_tags'] = '{}'
    and coalesce(jsonb_typeof(p_change -> 'add_tags'), 'array') = 'array' and coalesce(jsonb_typeof(p_change -> 'remove_tags'), 'array') = 'array'
    and jsonb_array_length(coalesce(p_change -> 'add_tags', '[]')) + jsonb_array_length(coalesce(p_change -> 'remove_tags', '[]')) <= 200
  then
    v_add := array(select jsonb_array_elements_text(p_change -> 'add_tags'));
    v_remove := array(select jsonb_array_elements_text(p_change -> 'remove_tags'));
    if exists (
      select unnest(v_add) except select t.id from public.tags t where t.brand_id = p_brand_id
      except select t.row_id from private.tombstones t where t.brand_id = p_brand_id and t.table_name = 'tags' and t.row_data is not null
    ) then
      raise exception 'A tag of "add_tags" is not one of this brand.' using errcode = '22023';
    end if;
    v_filter := v_filter || format(' and (not r.tag_ids @> %L::uuid[] or r.tag_ids && %L::uuid[])', v_add, v_remove);
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, null, v_piece);
    -- The other tags of each record stay as they are.
    execute format(
      'update public.%I r set tag_ids = array(select unnest(r.tag_ids) union select unnest($3) except select unnest($4))
       where r.brand_id = $1 and r.id = any ($2)', v_table)
    using p_brand_id, v_ids, v_add, v_remove;
  elsif jsonb_typeof(p_change -> 'custom') = 'object' and p_change - 'custom' = '{}' then
    v_patch := private.custom_patch(p_brand_id, v_table, p_change -> 'custom');
    v_filter := v_filter || (
      select format(' and (%s)', string_agg(format('r.custom -> %L is distinct from %L::jsonb', e.key, nullif(e.value, 'null')), ' or '))
      from jsonb_each(v_patch) e
    );
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, null, v_piece);
    -- A merge patch: the other fields of each record stay as they are.
    execute format('update public.%I r set custom = $3 where r.brand_id = $1 and r.id = any ($2)', v_table) using p_brand_id, v_ids, v_patch;
  else
    raise exception 'p_change is {"delete": true}, {"owner_id": a member or null}, {"add_tags": ids, "remove_tags": ids} or {"custom": values}.'
      using errcode = '22023';
  end if;
  return json_build_object('done', cardinality(v_ids) < v_piece, 'count', cardinality(v_ids), 'ids', v_ids, 'until', v_until);
end
$$;

revoke execute on all functions in schema private from public;

-- A write that names a tag that was merged meanwhile, for example by a device that was offline, gives the record the target of the merge. Before,
-- the record got neither tag.

-- Of a tag that was merged: the other tag. A restored tag has no tombstone, so the undo of a merge deletes this value.
alter table private.tombstones add column merged_into uuid;

-- These ids of tags, with the target in place of each merged tag: once each and sorted. A target may have been merged or deleted itself.
create function private.with_merge_targets(p_brand_id uuid, p_ids uuid[]) returns uuid[]
language sql stable set search_path = ''
as $$
  with recursive followed (id, merged_into) as (
    select i.id, t.merged_into
    from unnest(p_ids) i (id)
    left join private.tombstones t on t.brand_id = p_brand_id and t.table_name = 'tags' and t.row_id = i.id
    union
    select f.merged_into, t.merged_into
    from followed f
    left join private.tombstones t on t.brand_id = p_brand_id and t.table_name = 'tags' and t.row_id = f.merged_into
    where f.merged_into is not null
  )
  select coalesce(array_agg(f.id order by f.id), '{}') from followed f where f.merged_into is null and f.id is not null
$$;

-- Keeps the ids of tags of this brand, and of deleted ones that can still be restored, once each and sorted. A merged tag is replaced by its
-- target, also if the merge is undone later: the undo (restore_moved) concerns only the records that the merge has changed.
create or replace function private.tidy_tag_ids() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_most constant integer := 30;
  v_ids uuid[] := new.tag_ids;
  v_targets uuid[];
  v_living uuid[];
begin
  loop
    -- Locked, so that a merge of the tag finds this record (merge_tags). Two writes do not wait for each other.
    v_living := array(select t.id from public.tags t where t.brand_id = new.brand_id and t.id = any (v_ids) order by t.id for key share);
    exit when cardinality(v_living) = cardinality(v_ids);
    -- Looked up after the lock: a merge may have ended while this write waited. The targets are locked in the next round.
    exit when not exists (
      select from private.tombstones t
      where t.brand_id = new.brand_id and t.table_name = 'tags' and t.row_id = any (v_ids) and t.merged_into is not null
    );
    v_targets := private.with_merge_targets(new.brand_id, v_ids);
    exit when v_targets = v_ids;
    v_ids := v_targets;
  end loop;
  if cardinality(v_living) > v_most then
    raise exception 'A record has at most % tags.', v_most using errcode = '54000';
  end if;
  new.tag_ids := array(
    select unnest(v_living)
    union
    (select t.row_id from private.tombstones t
    where t.brand_id = new.brand_id and t.table_name = 'tags' and t.row_id = any (v_ids) and t.row_data is not null
    order by t.deleted_at desc, t.row_id limit v_most)
    order by 1
  );
  return new;
end
$$;

-- Gives the records of a tag another one instead, at most 500 a call, and then deletes it: call it until the answer says `done`.
-- Answers { done, count }: how many records this call has changed. What was moved is kept (restore_moved), and so is the other tag, for
-- writes that still name the merged one. For admins and owners.
create or replace function public.merge_tags(p_brand_id uuid, p_tag_id uuid, p_into_id uuid) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_piece constant integer := 500;
  v_table text;
  v_changed integer;
  v_count integer := 0;
  v_keeps boolean;
begin
  perform private.assert_role(p_brand_id, 'admin');
  -- In the order of their ids, so that two merges do not deadlock. Records get tags meanwhile.
  perform from public.tags t where t.brand_id = p_brand_id and t.id in (p_tag_id, p_into_id) order by t.id for no key update;
  if p_tag_id = p_into_id or (select count(*) from public.tags t where t.brand_id = p_brand_id and t.id in (p_tag_id, p_into_id)) < 2 then
    raise exception 'Two tags of this brand are needed. One of them may have been deleted meanwhile.' using errcode = '22023';
  end if;
  v_keeps := private.keeps_moved(p_brand_id, 'tags', array[p_tag_id], (
    select count(*) from (
      select from public.contacts r where r.brand_id = p_brand_id and r.tag_ids @> array[p_tag_id] and r.tag_ids <> '{}'
      union all select from public.companies r where r.brand_id = p_brand_id and r.tag_ids @> array[p_tag_id] and r.tag_ids <> '{}'
      union all select from public.deals r where r.brand_id = p_brand_id and r.tag_ids @> array[p_tag_id] and r.tag_ids <> '{}'
      limit private.most_moved() + 1
    ) r));
  foreach v_table in array array['contacts', 'companies', 'deals'] loop
    execute format(
      'with found as materialized (
         select r.id, r.tag_ids @> array[$3] as had_target from public.%1$I r
         where r.brand_id = $1 and r.tag_ids @> array[$2] and r.tag_ids <> ''{}'' order by r.id limit $4 for update
       ), kept as (
         insert into private.moved_records as m (brand_id, from_table, from_id, record_table, record_id, to_id, had_target)
         select $1, ''tags'', $2, %1$L, f.id, $3, f.had_target from found f where $5
         on conflict (brand_id, from_table, from_id, record_table, record_id)
         do update set to_id = excluded.to_id, had_target = excluded.had_target, moved_at = excluded.moved_at
       )
       update public.%1$I r set tag_ids = array_remove(r.tag_ids, $2) || $3
       from found f where r.brand_id = (select $1) and r.id = f.id', v_table)
    using p_brand_id, p_tag_id, p_into_id, v_piece - v_count, v_keeps;
    get diagnostics v_changed = row_count;
    v_count := v_count + v_changed;
  end loop;
  if v_count = v_piece then
    return json_build_object('done', false, 'count', v_count);
  end if;
  -- Writes that give a record this tag hold its row (tidy_tag_ids): they are waited for. What they gave it to is the next piece.
  perform from public.tags t where t.brand_id = p_brand_id and t.id = p_tag_id for update;
  if exists (select from public.contacts r where r.brand_id = p_brand_id and r.tag_ids @> array[p_tag_id] and r.tag_ids <> '{}')
    or exists (select from public.companies r where r.brand_id = p_brand_id and r.tag_ids @> array[p_tag_id] and r.tag_ids <> '{}')
    or exists (select from public.deals r where r.brand_id = p_brand_id and r.tag_ids @> array[p_tag_id] and r.tag_ids <> '{}')
  then
    return json_build_object('done', false, 'count', v_count);
  end if;
  delete from public.tags t where t.brand_id = p_brand_id and t.id = p_tag_id;
  update private.tombstones t set merged_into = p_into_id where t.brand_id = p_brand_id and t.table_name = 'tags' and t.row_id = p_tag_id;
  return json_build_object('done', true, 'count', v_count);
end
$$;

-- Changes at most 500 records of a query (p_query: { table, where, search } of read_queries): call it until the answer says `done`.
-- p_change: { "delete": true }, { "owner_id": a member or null }, { "add_tags": ids, "remove_tags": ids }, one or both, or { "custom": values by id or key
-- of a field, null empties it }. p_until: the `until` of the first answer, so that records that are added meanwhile are left alone. Answers
-- { done, count, ids, until }: how many this call has changed, and which. Every member may: each of these records could be changed by itself.
create or replace function public.change_matching(p_brand_id uuid, p_query jsonb, p_change jsonb, p_until timestamptz default null) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_piece constant integer := 500;
  v_table text := p_query ->> 'table';
  v_until timestamptz := coalesce(p_until, now());
  v_owner uuid;
  v_add uuid[];
  v_targets uuid[];
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
    -- A record gets the target of a merged tag (tidy_tag_ids). So the filter has targets, and none of them is removed: else each call would find the
    -- same records again.
    v_targets := private.with_merge_targets(p_brand_id, v_add);
    v_remove := array(select jsonb_array_elements_text(p_change -> 'remove_tags')::uuid except select unnest(v_targets));
    if exists (
      select unnest(v_targets) except select t.id from public.tags t where t.brand_id = p_brand_id
      except select t.row_id from private.tombstones t where t.brand_id = p_brand_id and t.table_name = 'tags' and t.row_data is not null
    ) then
      raise exception 'A tag of "add_tags" is not one of this brand.' using errcode = '22023';
    end if;
    v_filter := v_filter || format(' and (not r.tag_ids @> %L::uuid[] or r.tag_ids && %L::uuid[])', v_targets, v_remove);
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

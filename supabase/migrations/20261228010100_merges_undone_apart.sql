-- Merges of tags, and their undo: merges into one tag can be undone one by one, a record with 30 tags does not hinder the undo of all others, a record
-- that gets a tag while it is merged keeps its successor, and none of them deadlocks with an import or with the delete of a stage.

-- Keeps the ids of tags of this brand, and of deleted ones that can still be restored, once each and sorted.
create or replace function private.tidy_tag_ids() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_most constant integer := 30;
  -- Locked, so that a merge of the tag finds this record (merge_tags). Two writes do not wait for each other.
  v_living uuid[] := array(select t.id from public.tags t where t.brand_id = new.brand_id and t.id = any (new.tag_ids) order by t.id for key share);
begin
  if cardinality(v_living) > v_most then
    raise exception 'A record has at most % tags.', v_most using errcode = '54000';
  end if;
  new.tag_ids := array(
    select unnest(v_living)
    union
    (select t.row_id from private.tombstones t
    where t.brand_id = new.brand_id and t.table_name = 'tags' and t.row_id = any (new.tag_ids) and t.row_data is not null
    order by t.deleted_at desc, t.row_id limit v_most)
    order by 1
  );
  return new;
end
$$;

-- Whether what moves so many more records from these rows can be undone, and is to be kept. Else what was kept of an earlier piece goes. Before, it
-- forgets what is older than a day.
create or replace function private.keeps_moved(p_brand_id uuid, p_table text, p_ids uuid[], p_count bigint) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Two at once do not wait for each other here: the other one may wait for the records that this one has locked.
  delete from private.moved_records m where (m.brand_id, m.from_table, m.from_id, m.record_table, m.record_id) in (
    select o.brand_id, o.from_table, o.from_id, o.record_table, o.record_id from private.moved_records o
    where o.brand_id = p_brand_id and o.moved_at < now() - interval '1 day' for update skip locked);
  delete from private.unkept_moves u where (u.brand_id, u.from_table, u.from_id) in (
    select o.brand_id, o.from_table, o.from_id from private.unkept_moves o
    where o.brand_id = p_brand_id and o.moved_at < now() - interval '1 day' for update skip locked);
  if exists (select from private.unkept_moves u where u.brand_id = p_brand_id and u.from_table = p_table and u.from_id = any (p_ids)) then
    return false;
  end if;
  if p_count + (
    select count(*) from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids)
  ) <= private.most_moved() then
    return true;
  end if;
  delete from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids);
  insert into private.unkept_moves (brand_id, from_table, from_id) select p_brand_id, p_table, i.id from unnest(p_ids) i (id);
  return false;
end
$$;

-- Gives the records of a tag another one instead, at most 500 a call, and then deletes it: call it until the answer says `done`.
-- Answers { done, count }: how many records this call has changed. What was moved is kept (restore_moved). For admins and owners.
create or replace function public.merge_tags(p_brand_id uuid, p_tag_id uuid, p_into_id uuid) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
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
  return json_build_object('done', true, 'count', v_count);
end
$$;

-- Undoes merge_tags (`p_table` 'tags') or the delete of stages ('deal_stages'; a pipeline that was deleted with them is restored before): the
-- rows come back, and so do the records that were moved, up to 2,000. A record that somebody has moved on, or taken the other tag from, stays
-- as it is, and so does one that would have more than 30 tags. Returns how many came back. Admins and owners.
create or replace function public.restore_moved(p_brand_id uuid, p_table text, p_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_most constant integer := private.most_moved();
  v_most_tags constant integer := 30;
  v_table text;
  v_changed integer;
  v_count integer := 0;
begin
  perform private.assert_role(p_brand_id, 'admin');
  if p_table is null or p_table not in ('tags', 'deal_stages') then
    raise exception 'p_table is tags or deal_stages.' using errcode = '22023';
  end if;
  if p_ids is null or cardinality(p_ids) not between 1 and 1000 then
    raise exception 'p_ids has 1 to 1000 ids.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('stages ' || p_brand_id, 0)) where p_table = 'deal_stages';
  if exists (select from private.unkept_moves u where u.brand_id = p_brand_id and u.from_table = p_table and u.from_id = any (p_ids))
    or (select count(*) from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids)) > v_most
  then
    raise exception 'More than % records were moved: this cannot be undone.', v_most using errcode = '22023';
  end if;
  -- Locked in the order of all: what was kept, then records by id, then the rows that come back. An import creates tags after it has locked contacts.
  perform from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids)
  order by m.from_id, m.record_table, m.record_id for update;
  foreach v_table in array array['contacts', 'companies', 'deals'] loop
    execute format(
      'select from public.%1$I r where r.brand_id = (select $1) and r.id in (
         select m.record_id from private.moved_records m
         where m.brand_id = $1 and m.from_table = $3 and m.from_id = any ($2) and m.record_table = %1$L
       ) order by r.id for update', v_table)
    using p_brand_id, p_ids, p_table;
  end loop;
  if jsonb_array_length(public.restore_records(p_brand_id, p_table, p_ids)) < cardinality(p_ids) then
    raise exception 'It cannot come back: it was brought back already, or its name is taken.' using errcode = '22023';
  end if;
  if p_table = 'deal_stages' then
    -- Still where the delete put it, since then.
    update public.deals d set stage_id = m.from_id, closed_at = coalesce(d.closed_at, m.closed_at)
    from private.moved_records m
    where m.brand_id = (select p_brand_id) and m.from_table = p_table and m.from_id = any (p_ids) and d.brand_id = (select p_brand_id) and d.id = m.record_id
      and d.stage_id = m.to_id and d.stage_since = m.moved_at;
    get diagnostics v_count = row_count;
    -- Since when it is there is that of before; the trigger has set it to now.
    update public.deals d set stage_since = m.stage_since
    from private.moved_records m
    where m.brand_id = (select p_brand_id) and m.from_table = p_table and m.from_id = any (p_ids) and d.brand_id = (select p_brand_id) and d.id = m.record_id
      and d.stage_id = m.from_id and d.stage_since = now();
  else
    foreach v_table in array array['contacts', 'companies', 'deals'] loop
      -- Of several tags that went into one, each comes back, in one call or in several: the other tag goes with the last of those that it replaced.
      -- A record without room for what comes stays as it is.
      execute format(
        'with others as materialized (
           select distinct on (m.record_id, m.to_id) m.record_id, m.to_id, m.from_id from private.moved_records m
           where m.brand_id = $1 and m.from_table = ''tags'' and m.from_id <> all ($2) and m.record_table = %1$L
           order by m.record_id, m.to_id, m.from_id
         ),
         undone as materialized (
           select r.id, r.tag_ids, m.from_id, m.to_id, m.had_target, o.from_id as heir_id
           from public.%1$I r join private.moved_records m on m.brand_id = (select $1) and m.record_table = %1$L and m.record_id = r.id
           left join others o on o.record_id = m.record_id and o.to_id = m.to_id
           where r.brand_id = (select $1) and m.from_table = ''tags'' and m.from_id = any ($2) and m.to_id = any (r.tag_ids)
         ),
         back as materialized (
           select b.id, b.tag_ids
           from (
             select u.id, array(
               select unnest(u.tag_ids)
               except select unnest(array_agg(u.to_id) filter (where not u.had_target and u.heir_id is null))
               union select unnest(array_agg(u.from_id))
             ) as tag_ids
             from undone u group by u.id, u.tag_ids
           ) b
           where (select count(*) from public.tags t where t.brand_id = $1 and t.id = any (b.tag_ids)) <= $3
         ),
         passed as (
           update private.moved_records m set had_target = false
           from undone u join back b on b.id = u.id
           where not u.had_target and m.brand_id = (select $1) and m.from_table = ''tags'' and m.from_id = u.heir_id and m.record_table = %1$L and m.record_id = u.id
         )
         update public.%1$I r set tag_ids = b.tag_ids from back b where r.brand_id = (select $1) and r.id = b.id', v_table)
      using p_brand_id, p_ids, v_most_tags;
      get diagnostics v_changed = row_count;
      v_count := v_count + v_changed;
    end loop;
  end if;
  delete from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids);
  return v_count;
end
$$;

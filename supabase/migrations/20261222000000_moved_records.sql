-- Merging tags, and deleting a stage with deals, can be undone for a day: what a delete moved before is kept, and comes back with the row.

-- The records that merge_tags, delete_deal_stage and delete_pipeline have moved away from a row that they deleted. Rows older than a day are
-- of no use, and go with the next such call of the brand.
create table private.moved_records (
  brand_id uuid not null references public.brands on delete cascade,
  -- The row that was deleted.
  from_table text not null,
  from_id uuid not null,
  -- The record that was moved, and what it got instead.
  record_table text not null,
  record_id uuid not null,
  to_id uuid not null,
  -- Of a record with a tag: it had the other tag before. Of a deal: since when it was in its stage, and when it was closed.
  had_target boolean,
  stage_since timestamptz,
  closed_at timestamptz,
  moved_at timestamptz not null default now(),
  primary key (brand_id, from_table, from_id, record_table, record_id)
);
create index moved_records_by_age_idx on private.moved_records (brand_id, moved_at);
alter table private.moved_records enable row level security;
revoke all on private.moved_records from public, anon, authenticated, service_role;

-- Deletes that moved more records than restore_moved brings back: nothing is kept of them.
create table private.unkept_moves (
  brand_id uuid not null references public.brands on delete cascade,
  from_table text not null,
  from_id uuid not null,
  moved_at timestamptz not null default now(),
  primary key (brand_id, from_table, from_id)
);
alter table private.unkept_moves enable row level security;
revoke all on private.unkept_moves from public, anon, authenticated, service_role;

-- How many records are moved at most by what can be undone.
create function private.most_moved() returns integer
language sql immutable
as $$ select 2000 $$;

-- Whether what moves so many more records from these rows can be undone, and is to be kept. Else what was kept of an earlier piece goes. Before, it
-- forgets what is older than a day.
create function private.keeps_moved(p_brand_id uuid, p_table text, p_ids uuid[], p_count bigint) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.moved_records m where m.brand_id = p_brand_id and m.moved_at < now() - interval '1 day';
  delete from private.unkept_moves u where u.brand_id = p_brand_id and u.moved_at < now() - interval '1 day';
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
  -- In the order of their ids, so that two merges do not deadlock.
  perform from public.tags t where t.brand_id = p_brand_id and t.id in (p_tag_id, p_into_id) order by t.id for update;
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
       from found f where r.brand_id = $1 and r.id = f.id', v_table)
    using p_brand_id, p_tag_id, p_into_id, v_piece - v_count, v_keeps;
    get diagnostics v_changed = row_count;
    v_count := v_count + v_changed;
  end loop;
  if v_count < v_piece then
    delete from public.tags t where t.brand_id = p_brand_id and t.id = p_tag_id;
  end if;
  return json_build_object('done', v_count < v_piece, 'count', v_count);
end
$$;

-- Moves the deals of these stages to another one, and deletes the stages. What was moved is kept (restore_moved).
create or replace function private.empty_and_delete_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_moved bigint;
begin
  -- No deal comes into these stages any more.
  perform from public.deal_stages s where s.brand_id = p_brand_id and s.id = any (p_stage_ids) order by s.id for update;
  if p_to_stage_id is null and exists (
    select from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids)
  ) then
    raise exception 'Deals are here: say which stage they go to.' using errcode = '22023';
  end if;
  if p_to_stage_id is not null and (p_to_stage_id = any (p_stage_ids) or not exists (
    select from public.deal_stages s where s.brand_id = p_brand_id and s.id = p_to_stage_id
  )) then
    raise exception 'The deals cannot go to that stage: choose another one.' using errcode = '22023';
  end if;
  delete from private.moved_records m where m.brand_id = p_brand_id and m.from_table = 'deal_stages' and m.from_id = any (p_stage_ids);
  delete from private.unkept_moves u where u.brand_id = p_brand_id and u.from_table = 'deal_stages' and u.from_id = any (p_stage_ids);
  perform from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids) order by d.id for update;
  if private.keeps_moved(p_brand_id, 'deal_stages', p_stage_ids, (
    select count(*) from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids)
  )) then
    insert into private.moved_records (brand_id, from_table, from_id, record_table, record_id, to_id, stage_since, closed_at)
    select d.brand_id, 'deal_stages', d.stage_id, 'deals', d.id, p_to_stage_id, d.stage_since, d.closed_at
    from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids);
  end if;
  update public.deals d set stage_id = p_to_stage_id where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids);
  get diagnostics v_moved = row_count;
  delete from public.deal_stages s where s.brand_id = p_brand_id and s.id = any (p_stage_ids);
  return v_moved;
end
$$;

-- Undoes merge_tags (`p_table` 'tags') or the delete of stages ('deal_stages'; a pipeline that was deleted with them is restored before): the
-- rows come back, and so do the records that were moved, up to 2,000. A record that somebody has moved on, or taken the other tag from, stays
-- as it is. Returns how many came back. Admins and owners.
create function public.restore_moved(p_brand_id uuid, p_table text, p_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_most constant integer := private.most_moved();
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
  if jsonb_array_length(public.restore_records(p_brand_id, p_table, p_ids)) < cardinality(p_ids) then
    raise exception 'It cannot come back: it was brought back already, or its name is taken.' using errcode = '22023';
  end if;
  if p_table = 'deal_stages' then
    perform from public.deals d where d.brand_id = p_brand_id and d.id in (
      select m.record_id from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids)
    ) order by d.id for update;
    -- Still where the delete put it, since then.
    update public.deals d set stage_id = m.from_id, closed_at = coalesce(d.closed_at, m.closed_at)
    from private.moved_records m
    where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids) and d.brand_id = p_brand_id and d.id = m.record_id
      and d.stage_id = m.to_id and d.stage_since = m.moved_at;
    get diagnostics v_count = row_count;
    -- Since when it is there is that of before; the trigger has set it to now.
    update public.deals d set stage_since = m.stage_since
    from private.moved_records m
    where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids) and d.brand_id = p_brand_id and d.id = m.record_id
      and d.stage_id = m.from_id and d.stage_since = now();
  else
    foreach v_table in array array['contacts', 'companies', 'deals'] loop
      execute format(
        'select from public.%1$I r where r.brand_id = $1 and r.id in (
           select m.record_id from private.moved_records m
           where m.brand_id = $1 and m.from_table = ''tags'' and m.from_id = any ($2) and m.record_table = %1$L
         ) order by r.id for update', v_table)
      using p_brand_id, p_ids;
      -- Of several tags that went into one, each comes back.
      execute format(
        'with back as materialized (
           select r.id, array_agg(m.from_id) as come, coalesce(array_agg(m.to_id) filter (where not m.had_target), ''{}'') as go
           from public.%1$I r join private.moved_records m on m.brand_id = $1 and m.record_table = %1$L and m.record_id = r.id
           where r.brand_id = $1 and m.from_table = ''tags'' and m.from_id = any ($2) and m.to_id = any (r.tag_ids)
           group by r.id
         )
         update public.%1$I r set tag_ids = array(select unnest(r.tag_ids) except select unnest(b.go)) || b.come
         from back b where r.brand_id = $1 and r.id = b.id', v_table)
      using p_brand_id, p_ids;
      get diagnostics v_changed = row_count;
      v_count := v_count + v_changed;
    end loop;
  end if;
  delete from private.moved_records m where m.brand_id = p_brand_id and m.from_table = p_table and m.from_id = any (p_ids);
  return v_count;
end
$$;
revoke execute on function public.restore_moved(uuid, text, uuid[]) from public, anon, authenticated;
grant execute on function public.restore_moved(uuid, text, uuid[]) to authenticated, service_role;

revoke execute on all routines in schema private from public;

-- A stage with many deals takes longer to delete, or to change its kind, than a request may run. Each of the public functions here does a part of that
-- work, so that a client can call it until it is done, and then send the change itself.

-- Stages from which pieces have moved deals (clear_deal_stage, clear_pipeline) and that are not deleted yet. What the pieces moved is part of that
-- delete, and of its undo.
create table private.begun_stage_deletes (
  brand_id uuid not null,
  stage_id uuid not null,
  primary key (brand_id, stage_id),
  foreign key (brand_id, stage_id) references public.deal_stages on delete cascade
);
alter table private.begun_stage_deletes enable row level security;
revoke all on private.begun_stage_deletes from public, anon, authenticated, service_role;

-- Moves up to `p_most` deals (null: all) of these stages to another one, the newest first, and keeps for restore_moved what it moved. Returns how many
-- it has moved. Raises 22023 if there are deals and no target, or if the target is not a further stage of the brand.
create function private.move_deals_of_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid, p_most integer) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_ids uuid[];
  v_keeps boolean;
  v_moved bigint;
begin
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
  -- What an earlier delete moved has nothing to do with this one.
  delete from private.moved_records m
  where m.brand_id = p_brand_id and m.from_table = 'deal_stages' and m.from_id = any (p_stage_ids)
    and not exists (select from private.begun_stage_deletes b where b.brand_id = p_brand_id and b.stage_id = m.from_id);
  delete from private.unkept_moves u
  where u.brand_id = p_brand_id and u.from_table = 'deal_stages' and u.from_id = any (p_stage_ids)
    and not exists (select from private.begun_stage_deletes b where b.brand_id = p_brand_id and b.stage_id = u.from_id);
  v_ids := array(
    select d.id from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids)
    order by d.created_at desc, d.id limit p_most
  );
  -- In the order of their ids, so that two such changes do not deadlock.
  perform from public.deals d where d.brand_id = p_brand_id and d.id = any (v_ids) order by d.id for update;
  v_keeps := private.keeps_moved(p_brand_id, 'deal_stages', p_stage_ids, (
    select count(*) from (
      select from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids) limit private.most_moved() + 1
    ) d));
  if v_keeps then
    -- A deal that a piece has moved and a colleague has moved back is moved a second time.
    insert into private.moved_records as m (brand_id, from_table, from_id, record_table, record_id, to_id, stage_since, closed_at)
    select d.brand_id, 'deal_stages', d.stage_id, 'deals', d.id, p_to_stage_id, d.stage_since, d.closed_at
    from public.deals d where d.brand_id = p_brand_id and d.id = any (v_ids) and d.stage_id = any (p_stage_ids)
    on conflict (brand_id, from_table, from_id, record_table, record_id)
    do update set to_id = excluded.to_id, stage_since = excluded.stage_since, closed_at = excluded.closed_at, moved_at = excluded.moved_at;
  end if;
  update public.deals d set stage_id = p_to_stage_id where d.brand_id = p_brand_id and d.id = any (v_ids) and d.stage_id = any (p_stage_ids);
  get diagnostics v_moved = row_count;
  return v_moved;
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
  v_moved := private.move_deals_of_stages(p_brand_id, p_stage_ids, p_to_stage_id, null);
  delete from public.deal_stages s where s.brand_id = p_brand_id and s.id = any (p_stage_ids);
  return v_moved;
end
$$;

-- A piece of the delete of these stages: moves up to 2,000 of their deals. Answers { done, count }; done is true if none is left.
create function private.move_piece_of_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_piece constant integer := 2000;
  v_moved bigint;
begin
  -- The lock of the foreign key below, taken before the deals are locked: a change of the kind (wait_for_deals) locks the stage first, too.
  perform from public.deal_stages s where s.brand_id = p_brand_id and s.id = any (p_stage_ids) order by s.id for key share;
  v_moved := private.move_deals_of_stages(p_brand_id, p_stage_ids, p_to_stage_id, v_piece);
  -- Only after the first piece, which has forgotten what an earlier delete moved.
  insert into private.begun_stage_deletes (brand_id, stage_id)
  select s.brand_id, s.id from public.deal_stages s where s.brand_id = p_brand_id and s.id = any (p_stage_ids) and v_moved > 0
  on conflict do nothing;
  return json_build_object('done', not exists (
    select from public.deals d where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids)
  ), 'count', v_moved);
end
$$;

-- Moves up to 2,000 deals of a stage that is to be deleted to another stage, as delete_deal_stage moves them. Rights and refusals are those of
-- delete_deal_stage. Answers { done, count }: done is true if none is left. If it is not called again, the stage stays, with the rest of its deals,
-- until delete_deal_stage is called; the undo of that delete also brings back the deals of its pieces, up to 2,000 in total within a day.
create function public.clear_deal_stage(p_brand_id uuid, p_stage_id uuid, p_to_stage_id uuid default null) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_stage public.deal_stages;
begin
  perform private.assert_role(p_brand_id, 'admin');
  perform pg_advisory_xact_lock(hashtextextended('stages ' || p_brand_id, 0));
  select * into v_stage from public.deal_stages s where s.brand_id = p_brand_id and s.id = p_stage_id;
  if not found then
    raise exception 'This stage is not here any more.' using errcode = '22023';
  end if;
  if v_stage.kind = 'open' and not exists (
    select from public.deal_stages s
    where s.brand_id = p_brand_id and s.pipeline_id = v_stage.pipeline_id and s.kind = 'open' and s.id <> p_stage_id
  ) then
    raise exception 'The last open stage of a pipeline stays: a deal begins there.' using errcode = '22023';
  end if;
  return private.move_piece_of_stages(p_brand_id, array[p_stage_id], p_to_stage_id);
end
$$;

-- Moves up to 2,000 deals of a pipeline that is to be deleted to a stage of another one, as delete_pipeline moves them. Rights and refusals are those
-- of delete_pipeline. Answers as clear_deal_stage, and leaves as much if it is not called again.
create function public.clear_pipeline(p_brand_id uuid, p_pipeline_id uuid, p_to_stage_id uuid default null) returns json
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, 'admin');
  perform pg_advisory_xact_lock(hashtextextended('pipelines ' || p_brand_id, 0));
  perform pg_advisory_xact_lock(hashtextextended('stages ' || p_brand_id, 0));
  if not exists (select from public.pipelines p where p.brand_id = p_brand_id and p.id = p_pipeline_id) then
    raise exception 'This pipeline is not here any more.' using errcode = '22023';
  end if;
  if not exists (select from public.pipelines p where p.brand_id = p_brand_id and p.id <> p_pipeline_id) then
    raise exception 'The last pipeline stays.' using errcode = '22023';
  end if;
  return private.move_piece_of_stages(p_brand_id, array(
    select s.id from public.deal_stages s where s.brand_id = p_brand_id and s.pipeline_id = p_pipeline_id
  ), p_to_stage_id);
end
$$;

-- Closes, or opens, up to 2,000 deals of a stage that is to get the kind `p_kind` ('open', 'won', 'lost'), as the change of the kind does. Answers
-- { done, count }: done is true if fewer were left. Raises NOT_AUTHORIZED, 22023.
-- The stage gets its new kind last, with the change itself, which also closes or opens what has come meanwhile. Until then the stage counts as before.
-- If the change does not follow, the stage keeps its kind, and the deals of the finished pieces have what the other kind would give them: in an open
-- stage a closing day, which only exports show and which they lose when they leave the stage; in a won or lost stage no day. Another attempt does the
-- rest.
create function public.apply_stage_kind(p_brand_id uuid, p_stage_id uuid, p_kind text) returns json
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_piece constant integer := 2000;
  v_ids uuid[];
begin
  perform private.assert_role(p_brand_id, 'admin');
  if p_kind is null or p_kind not in ('open', 'won', 'lost') then
    raise exception 'p_kind is open, won or lost.' using errcode = '22023';
  end if;
  -- Another change of the kind is waited for.
  perform from public.deal_stages s where s.brand_id = p_brand_id and s.id = p_stage_id for no key update;
  if not found then
    raise exception 'This stage is not here any more.' using errcode = '22023';
  end if;
  v_ids := array(
    select d.id from public.deals d
    where d.brand_id = p_brand_id and d.stage_id = p_stage_id and (d.closed_at is null) = (p_kind <> 'open')
    order by d.created_at desc, d.id limit v_piece
  );
  perform from public.deals d where d.brand_id = p_brand_id and d.id = any (v_ids) order by d.id for update;
  perform set_config('private.next_kind', p_kind, true);
  update public.deals d set closed_at = case when p_kind <> 'open' then coalesce(d.closed_at, now()) end
  where d.brand_id = p_brand_id and d.id = any (v_ids) and d.stage_id = p_stage_id;
  perform set_config('private.next_kind', '', true);
  return json_build_object('done', cardinality(v_ids) < v_piece, 'count', cardinality(v_ids));
end
$$;

revoke execute on function public.clear_deal_stage(uuid, uuid, uuid), public.clear_pipeline(uuid, uuid, uuid),
  public.apply_stage_kind(uuid, uuid, text) from public, anon, authenticated;
grant execute on function public.clear_deal_stage(uuid, uuid, uuid), public.clear_pipeline(uuid, uuid, uuid),
  public.apply_stage_kind(uuid, uuid, text) to authenticated, service_role;
revoke execute on all functions in schema private from public;

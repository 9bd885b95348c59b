-- A brand has one pipeline or several, each with its stages. A deal has no column for it: its stage decides the pipeline, so that a deal
-- moves to another one like to any other stage, with its history. Also: why a deal was lost, since when it is in its stage, and the
-- contacts of a deal beside the main one, with their parts.

-- PIPELINES

-- At most 30 short texts.
create function private.are_reasons(p_reasons text[]) returns boolean
language sql immutable
as $$
  select cardinality(p_reasons) <= 30 and array_position(p_reasons, null) is null
    and coalesce((select bool_and(r <> '' and length(r) <= 200) from unnest(p_reasons) r), true)
$$;

create table public.pipelines (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 200),
  position integer not null check (position > 0),
  -- What a person is offered who moves a deal to a lost stage; what they choose or type stands in deals.lost_reason.
  lost_reasons text[] not null default array['Price', 'Competitor', 'No budget', 'Bad timing', 'No answer']
    constraint pipelines_lost_reasons_check check (private.are_reasons(lost_reasons)),
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id)
);

-- A pipeline without a position goes last. At most 20 a brand, for people: an operator's script may add more. Restored by admins alone.
create function private.tidy_pipeline() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required_name(new.name);
  new.lost_reasons := array(
    select min(private.trimmed(r.reason)) from unnest(new.lost_reasons) with ordinality r (reason, place)
    where private.trimmed(r.reason) is not null group by lower(private.trimmed(r.reason)) order by min(r.place)
  );
  if tg_op = 'INSERT' then
    if coalesce(current_setting('private.restoring', true), '') <> '' then
      perform private.assert_role(new.brand_id, 'admin');
    end if;
    if auth.uid() is not null then
      perform pg_advisory_xact_lock(hashtextextended('pipelines ' || new.brand_id, 0));
      if (select count(*) from public.pipelines p where p.brand_id = new.brand_id) >= 20 then
        raise exception 'A brand has at most 20 pipelines.' using errcode = '54000';
      end if;
    end if;
    if new.position is null then
      new.position := 1 + coalesce((select max(p.position) from public.pipelines p where p.brand_id = new.brand_id), 0);
    end if;
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.pipelines for each row execute function private.tidy_pipeline();

create function private.first_pipeline(p_brand_id uuid) returns uuid
language sql stable set search_path = ''
as $$
  select p.id from public.pipelines p where p.brand_id = p_brand_id order by p.position, p.id limit 1
$$;

call private.keep_in_sync('public.pipelines');

-- Devices get a table after those that it refers to.
with moved as (delete from private.synced_tables where name in ('brands', 'memberships', 'pipelines') returning *)
insert into private.synced_tables (name, key_column, brand_column, kept_back, position) overriding system value
select m.name, m.key_column, m.brand_column, m.kept_back, array_position(array['brands', 'memberships', 'pipelines'], m.name) - 1 from moved m;

revoke all on public.pipelines from public, anon, authenticated;
grant select on public.pipelines to authenticated;
grant insert (id, brand_id, name, position, lost_reasons), update (name, position, lost_reasons) on public.pipelines to authenticated;
grant select, insert, update, delete on public.pipelines to service_role;

alter table public.pipelines enable row level security;
create policy "members see the pipelines of their brands" on public.pipelines for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "admins and owners add pipelines" on public.pipelines for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners change pipelines" on public.pipelines for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "the secret key sees every pipeline" on public.pipelines to service_role using (true);

-- STAGES

alter table public.deal_stages
  add column pipeline_id uuid,
  -- Null: the colour that its name gives it.
  add column color text check (color in ('grey', 'slate', 'blue', 'violet', 'amber', 'green', 'red')),
  -- How likely a deal of this stage is won, in percent.
  add column probability integer check (probability between 0 and 100),
  -- A deal that stands here longer says so on its card.
  add column usual_days integer check (usual_days between 1 and 3650);

insert into public.pipelines (brand_id, name, position) select b.id, 'Sales', 1 from public.brands b;
-- Devices fetch the stages anew (`rev`). Who changed them last stays.
alter table public.deal_stages disable trigger user;
update public.deal_stages s set pipeline_id = private.first_pipeline(s.brand_id), rev = private.current_rev();
alter table public.deal_stages enable trigger user;
alter table public.deal_stages
  alter column pipeline_id set not null,
  add foreign key (brand_id, pipeline_id) references public.pipelines;
drop index public.deal_stages_in_order_idx;
create index deal_stages_in_order_idx on public.deal_stages (brand_id, pipeline_id, position);

-- Where deals begin.
create function private.first_stage(p_brand_id uuid) returns uuid
language sql stable set search_path = ''
as $$
  select s.id from public.deal_stages s join public.pipelines p on p.brand_id = s.brand_id and p.id = s.pipeline_id
  where s.brand_id = p_brand_id order by p.position, p.id, s.position, s.id limit 1
$$;

-- A stage without a pipeline belongs to the first one, without a position it goes last; one without a kind gets it from its name. At most 30 a
-- pipeline, for people.
create or replace function private.tidy_deal_stage() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required_name(new.name);
  if tg_op = 'INSERT' then
    if new.pipeline_id is null then
      new.pipeline_id := private.first_pipeline(new.brand_id);
    end if;
    if auth.uid() is not null then
      perform pg_advisory_xact_lock(hashtextextended('stages ' || new.brand_id, 0));
      if (select count(*) from public.deal_stages s where s.brand_id = new.brand_id and s.pipeline_id = new.pipeline_id) >= 30 then
        raise exception 'A pipeline has at most 30 stages.' using errcode = '54000';
      end if;
    end if;
  end if;
  if new.position is null then
    new.position := 1 + coalesce((
      select max(s.position) from public.deal_stages s where s.brand_id = new.brand_id and s.pipeline_id = new.pipeline_id
    ), 0);
  end if;
  if new.kind is null then
    new.kind := case when lower(new.name) ~ '\mwon\M' then 'won' when lower(new.name) ~ '\mlost\M' then 'lost' else 'open' end;
  end if;
  return new;
end
$$;

-- A new brand starts with one pipeline of six stages.
create or replace function private.give_default_stages() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_pipeline uuid;
begin
  insert into public.pipelines as p (brand_id, name, position) values (new.id, 'Sales', 1) returning p.id into v_pipeline;
  insert into public.deal_stages (brand_id, pipeline_id, name, position, kind) values
    (new.id, v_pipeline, 'Incoming', 1, 'open'),
    (new.id, v_pipeline, 'Qualified', 2, 'open'),
    (new.id, v_pipeline, 'Proposal', 3, 'open'),
    (new.id, v_pipeline, 'Verbal Yes', 4, 'open'),
    (new.id, v_pipeline, 'Won', 5, 'won'),
    (new.id, v_pipeline, 'Lost', 6, 'lost');
  return null;
end
$$;

grant insert (pipeline_id, color, probability, usual_days), update (color, probability, usual_days) on public.deal_stages to authenticated;

-- Puts these pipelines, or stages, of a brand in this order. Admins and owners.
create function public.set_positions(p_brand_id uuid, p_table text, p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_role(p_brand_id, 'admin');
  if p_table not in ('pipelines', 'deal_stages') or p_table is null then
    raise exception 'p_table is pipelines or deal_stages.' using errcode = '22023';
  end if;
  if cardinality(p_ids) > 1000 then
    raise exception 'p_ids has at most 1000 ids.' using errcode = '22023';
  end if;
  execute format(
    'update public.%1$I r set position = o.position
     from (select i.id, min(i.position)::integer as position from unnest($2) with ordinality i (id, position) group by i.id) o
     where r.brand_id = $1 and r.id = o.id and r.position <> o.position', p_table)
  using p_brand_id, p_ids;
end
$$;

-- Moves the deals of these stages, with their history, and deletes the stages. Answers how many deals it has moved.
create function private.empty_and_delete_stages(p_brand_id uuid, p_stage_ids uuid[], p_to_stage_id uuid) returns bigint
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
  update public.deals d set stage_id = p_to_stage_id where d.brand_id = p_brand_id and d.stage_id = any (p_stage_ids);
  get diagnostics v_moved = row_count;
  delete from public.deal_stages s where s.brand_id = p_brand_id and s.id = any (p_stage_ids);
  return v_moved;
end
$$;

-- Deletes a stage; its deals go to another one of the brand. The last open stage of a pipeline stays: a deal begins there. Answers how many
-- deals it has moved. Admins and owners.
create function public.delete_deal_stage(p_brand_id uuid, p_stage_id uuid, p_to_stage_id uuid default null) returns integer
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
  return private.empty_and_delete_stages(p_brand_id, array[p_stage_id], p_to_stage_id);
end
$$;

-- Deletes a pipeline with its stages; its deals go to a stage of another one. The last pipeline stays. Answers how many deals it has
-- moved. Admins and owners.
create function public.delete_pipeline(p_brand_id uuid, p_pipeline_id uuid, p_to_stage_id uuid default null) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_moved bigint;
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
  v_moved := private.empty_and_delete_stages(p_brand_id, array(
    select s.id from public.deal_stages s where s.brand_id = p_brand_id and s.pipeline_id = p_pipeline_id
  ), p_to_stage_id);
  delete from public.pipelines p where p.brand_id = p_brand_id and p.id = p_pipeline_id;
  return v_moved;
end
$$;

-- DEALS

alter table public.deals
  add column stage_since timestamptz not null default now(),
  -- Shown while the deal is lost, and kept when it is moved on.
  add column lost_reason text check (length(lost_reason) <= 200),
  add constraint deals_closed_at_check check (closed_at >= '0001-01-02' and closed_at < '9999-12-31');
alter table public.deals disable trigger user;
update public.deals d
set stage_since = coalesce((
    select max(c.changed_at) from public.deal_stage_changes c
    where c.brand_id = d.brand_id and c.deal_id = d.id and c.to_stage_id = d.stage_id
  ), d.created_at),
  rev = private.current_rev();
alter table public.deals enable trigger user;
grant insert (lost_reason, closed_at), update (lost_reason, closed_at) on public.deals to authenticated;

-- A deal is closed from the moment it enters a stage that is won or lost, or from the day that a person says. `stage_since` says when it
-- came into its stage.
create or replace function private.tidy_deal() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required_name(new.name);
  new.lost_reason := private.trimmed(new.lost_reason);
  if tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id or new.closed_at is distinct from old.closed_at then
    if (select s.kind from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.stage_id) in ('won', 'lost') then
      new.closed_at := coalesce(new.closed_at, now());
    else
      new.closed_at := null;
    end if;
  end if;
  if tg_op = 'INSERT' then
    -- A row that was deleted before the column existed has none.
    new.stage_since := coalesce(new.stage_since, now());
  elsif new.stage_id is distinct from old.stage_id then
    new.stage_since := now();
  end if;
  return new;
end
$$;

-- A deal with a name and a stage (default: the first one of the first pipeline), the rest by default. It belongs to the caller. Returns its id.
create or replace function public.quick_create_deal(p_brand_id uuid, p_name text, p_stage_id uuid, p_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.assert_member(p_brand_id);
  if private.name_or_null(p_name) is null then
    raise exception 'Deal name is required' using errcode = '22023';
  end if;
  insert into public.deals as d (brand_id, id, name, owner_id, stage_id)
  values (
    p_brand_id,
    coalesce(p_id, gen_random_uuid()),
    p_name,
    case when p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end,
    coalesce(p_stage_id, private.first_stage(p_brand_id))
  )
  returning d.id into v_id;
  return v_id;
end
$$;

-- THE BOARD

drop function public.board(uuid, integer, uuid);
drop function private.board_page(uuid, integer, uuid);

-- The board for a device that does not have all deals yet: the pipelines, count and total of every stage, the first cards of the stages of
-- one pipeline (default: the first one), and the contacts and companies of those cards. A pipeline with very many stages gets fewer cards of each.
-- p_owner_id: one owner's deals.
create function public.board(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null, p_pipeline_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_pipeline uuid;
  v_stages bigint;
  v_board json;
begin
  perform private.assert_member(p_brand_id);
  v_pipeline := coalesce(
    (select p.id from public.pipelines p where p.brand_id = p_brand_id and p.id = p_pipeline_id), private.first_pipeline(p_brand_id));
  select count(*) into v_stages from public.deal_stages s where s.brand_id = p_brand_id and s.pipeline_id = v_pipeline;
  v_board := private.board_page(p_brand_id, least(coalesce(p_cards, 20), 1 + 5000 / greatest(v_stages, 1))::integer, p_owner_id, v_pipeline);
  perform private.assert_answer_size(pg_column_size(v_board));
  return v_board;
end
$$;

create function private.board_page(p_brand_id uuid, p_cards integer, p_owner_id uuid, p_pipeline_id uuid) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with cards as materialized (
      select d.* from public.deal_stages s
      cross join lateral (
        select * from public.deals d
        where d.brand_id = s.brand_id and d.stage_id = s.id and (p_owner_id is null or d.owner_id = p_owner_id)
        order by d.created_at desc, d.id
        limit least(greatest(coalesce(p_cards, 20), 0), 200)
      ) d
      where s.brand_id = p_brand_id and s.pipeline_id = p_pipeline_id
    )
    select json_build_object(
      'totals', coalesce((
        select json_agg(t order by t.stage_id, t.currency) from (
          select k.stage_id, k.currency, sum(k.count) as count, sum(k.amount) as amount
          from private.kept_figures k
          where k.brand_id = p_brand_id and k.table_name = 'deals' and (p_owner_id is null or k.owner_id = p_owner_id)
          group by k.stage_id, k.currency having sum(k.count) <> 0
        ) t
      ), '[]'),
      'pipelines', coalesce((
        select json_agg(p order by p.position, p.id) from public.pipelines p where p.brand_id = p_brand_id
      ), '[]'),
      'stages', coalesce((
        select json_agg(s order by s.position, s.id) from public.deal_stages s where s.brand_id = p_brand_id
      ), '[]'),
      'deals', coalesce((select json_agg(c order by c.created_at desc, c.id) from cards c), '[]'),
      'contacts', private.contacts_json(p_brand_id, array(select distinct c.contact_id from cards c where c.contact_id is not null order by 1)),
      'companies', private.companies_json(p_brand_id, array(select distinct c.company_id from cards c where c.company_id is not null order by 1))
    )
  );
end
$$;

-- THE CONTACTS OF A DEAL

-- Beside the main contact, deals.contact_id. They go with the deal or the contact, and come back with it.
create table public.deal_contacts (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  deal_id uuid not null,
  contact_id uuid not null,
  role text not null check (role in ('decides', 'pays', 'uses')),
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id),
  constraint deal_contacts_once_key unique (brand_id, deal_id, contact_id),
  foreign key (brand_id, deal_id) references public.deals on delete cascade,
  foreign key (brand_id, contact_id) references public.contacts on delete cascade
);
create index deal_contacts_by_contact_idx on public.deal_contacts (brand_id, contact_id);
create index deal_contacts_newest_idx on public.deal_contacts (brand_id, created_at desc, id);

-- At most 50 a deal. What is restored is not counted.
create function private.tidy_deal_contact() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.deals d where d.brand_id = new.brand_id and d.id = new.deal_id for no key update;
  if (select count(*) from public.deal_contacts c where c.brand_id = new.brand_id and c.deal_id = new.deal_id) >= 50 then
    raise exception 'A deal has at most 50 contacts.' using errcode = '54000';
  end if;
  return new;
end
$$;
create trigger tidy before insert on public.deal_contacts
  for each row when (coalesce(current_setting('private.restoring', true), '') = '') execute function private.tidy_deal_contact();

call private.keep_in_sync('public.deal_contacts');

-- Marks the tombstone of a row that goes with its deal or contact, so that it comes back with them. What a person removed by itself does not.
create function private.mark_gone_along() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.tombstones t set row_data = t.row_data || '{"gone_along": true}'
  where t.brand_id = old.brand_id and t.table_name = 'deal_contacts' and t.row_id = old.id and t.row_data is not null;
  return null;
end
$$;
create trigger mark_gone_along after delete on public.deal_contacts
  for each row when (pg_trigger_depth() > 0) execute function private.mark_gone_along();

-- After a deal or contact was restored: its rows of deal_contacts, if what they name at the other end is here too.
create function private.restore_deal_contacts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.deal_contacts
  select (jsonb_populate_record(null::public.deal_contacts, t.row_data)).*
  from private.tombstones t
  where t.brand_id = new.brand_id and t.table_name = 'deal_contacts' and t.row_data ? 'gone_along'
    and t.row_data ->> tg_argv[0] = new.id::text
    and exists (select from public.deals d where d.brand_id = t.brand_id and d.id = (t.row_data ->> 'deal_id')::uuid)
    and exists (select from public.contacts c where c.brand_id = t.brand_id and c.id = (t.row_data ->> 'contact_id')::uuid)
  on conflict do nothing;
  return null;
end
$$;
create trigger restore_deal_contacts after insert on public.deals
  for each row when (current_setting('private.restoring', true) = 'on') execute function private.restore_deal_contacts('deal_id');
create trigger restore_deal_contacts after insert on public.contacts
  for each row when (current_setting('private.restoring', true) = 'on') execute function private.restore_deal_contacts('contact_id');

insert into private.list_orders (table_name, order_name, place, expression, type, descending, is_required) values
  ('pipelines', 'position', 1, 'r.position', 'integer', false, true),
  ('deal_contacts', 'newest', 1, 'r.created_at', 'timestamptz', true, true);

-- Whether a deal or task names a contact.
create or replace function private.is_named(p_contact public.contacts) returns boolean
language sql stable
as $$
  select exists (select from public.deals d where d.brand_id = p_contact.brand_id and d.contact_id = p_contact.id)
    or exists (select from public.deal_contacts c where c.brand_id = p_contact.brand_id and c.contact_id = p_contact.id)
    or exists (select from public.tasks t where t.brand_id = p_contact.brand_id and t.contact_id = p_contact.id)
$$;

revoke all on public.deal_contacts from public, anon, authenticated;
grant select, delete on public.deal_contacts to authenticated;
grant insert (id, brand_id, deal_id, contact_id, role), update (role) on public.deal_contacts to authenticated;
grant select, insert, update, delete on public.deal_contacts to service_role;

alter table public.deal_contacts enable row level security;
create policy "members see the contacts of their brands' deals" on public.deal_contacts for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add contacts to their brands' deals" on public.deal_contacts for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the contacts of their brands' deals" on public.deal_contacts for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members take contacts from their brands' deals" on public.deal_contacts for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every contact of a deal" on public.deal_contacts to service_role using (true);

revoke execute on all routines in schema private from public;
grant execute on function private.are_reasons(text[]) to authenticated, service_role;
revoke execute on function public.board(uuid, integer, uuid, uuid), public.set_positions(uuid, text, uuid[]),
  public.delete_deal_stage(uuid, uuid, uuid), public.delete_pipeline(uuid, uuid, uuid) from public, anon, authenticated;
grant execute on function public.board(uuid, integer, uuid, uuid), public.set_positions(uuid, text, uuid[]),
  public.delete_deal_stage(uuid, uuid, uuid), public.delete_pipeline(uuid, uuid, uuid) to authenticated, service_role;

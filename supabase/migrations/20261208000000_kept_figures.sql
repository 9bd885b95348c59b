-- How many records a brand has, and of deals their sums by stage, owner and currency, are kept: to count a million rows takes
-- longer than a person waits. Statement triggers write what a statement changed as further lines, so that no two
-- writers wait for each other; a figure is the sum of its lines. Now and then a write folds the lines of a table into as few as can be.

create table private.kept_figures (
  brand_id uuid not null,
  table_name text not null,
  -- Of deals only.
  stage_id uuid,
  owner_id uuid,
  currency text,
  count bigint not null,
  amount numeric not null default 0
);
create index kept_figures_idx on private.kept_figures (brand_id, table_name);
alter table private.kept_figures enable row level security;
revoke all on private.kept_figures from public, anon, authenticated, service_role;

-- By which columns the figures of a table are kept; null: none are.
create function private.kept_columns(p_table text) returns text[]
language sql immutable set search_path = ''
as $$
  select case when p_table = 'deals' then array['stage_id', 'owner_id'] when p_table in ('contacts', 'companies', 'tasks') then '{}'::text[] end
$$;

-- WRITTEN

-- Replaces the lines of a table by their sums. One caller at a time folds, the others go on. Not under a snapshot that is older than
-- the lines of others.
create function private.fold_figures(p_brand_id uuid, p_table text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended('kept_figures ' || p_table || p_brand_id, 0)) then
    return;
  end if;
  with folded as (
    delete from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = p_table returning k.*
  )
  insert into private.kept_figures
  select f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency, sum(f.count), sum(f.amount)
  from folded f group by f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency
  having sum(f.count) <> 0 or sum(f.amount) <> 0;
end
$$;

-- After rows were inserted or deleted. What goes with its brand is not noted.
create function private.note_count() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.kept_figures (brand_id, table_name, count)
  select c.brand_id, tg_table_name, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed c where exists (select from public.brands b where b.id = c.brand_id)
  group by c.brand_id;
  if random() < 0.02 then
    perform private.fold_figures(c.brand_id, tg_table_name) from (select distinct brand_id from changed) c;
  end if;
  return null;
end
$$;

-- After a row came to another brand, which only the secret key can do.
create function private.note_other_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.kept_figures (brand_id, table_name, count) values (old.brand_id, tg_table_name, -1), (new.brand_id, tg_table_name, 1);
  return null;
end
$$;

create function private.note_sums() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into private.kept_figures
    select a.brand_id, 'deals', a.stage_id, a.owner_id, a.amount_currency, count(*), sum(a.amount)
    from arrived a group by a.brand_id, a.stage_id, a.owner_id, a.amount_currency;
  elsif tg_op = 'DELETE' then
    insert into private.kept_figures
    select g.brand_id, 'deals', g.stage_id, g.owner_id, g.amount_currency, -count(*), -sum(g.amount)
    from gone g where exists (select from public.brands b where b.id = g.brand_id)
    group by g.brand_id, g.stage_id, g.owner_id, g.amount_currency;
  else
    insert into private.kept_figures
    select c.brand_id, 'deals', c.stage_id, c.owner_id, c.amount_currency, sum(c.n), sum(c.n * c.amount)
    from (
      select a.brand_id, a.stage_id, a.owner_id, a.amount_currency, a.amount, 1 as n from arrived a
      union all select g.brand_id, g.stage_id, g.owner_id, g.amount_currency, g.amount, -1 from gone g
    ) c
    group by c.brand_id, c.stage_id, c.owner_id, c.amount_currency
    having sum(c.n) <> 0 or sum(c.n * c.amount) <> 0;
  end if;
  if random() < 0.02 then
    if tg_op = 'DELETE' then
      perform private.fold_figures(g.brand_id, 'deals') from (select distinct brand_id from gone) g;
    else
      perform private.fold_figures(a.brand_id, 'deals') from (select distinct brand_id from arrived) a;
    end if;
  end if;
  return null;
end
$$;

create function private.forget_figures() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.kept_figures k where k.brand_id = old.id;
  return null;
end
$$;

create trigger note_arrived after insert on public.contacts
  referencing new table as changed for each statement execute function private.note_count();
create trigger note_gone after delete on public.contacts
  referencing old table as changed for each statement execute function private.note_count();
create trigger note_other_brand after update of brand_id on public.contacts
  for each row when (old.brand_id <> new.brand_id) execute function private.note_other_brand();
create trigger note_arrived after insert on public.companies
  referencing new table as changed for each statement execute function private.note_count();
create trigger note_gone after delete on public.companies
  referencing old table as changed for each statement execute function private.note_count();
create trigger note_other_brand after update of brand_id on public.companies
  for each row when (old.brand_id <> new.brand_id) execute function private.note_other_brand();
create trigger note_arrived after insert on public.tasks
  referencing new table as changed for each statement execute function private.note_count();
create trigger note_gone after delete on public.tasks
  referencing old table as changed for each statement execute function private.note_count();
create trigger note_other_brand after update of brand_id on public.tasks
  for each row when (old.brand_id <> new.brand_id) execute function private.note_other_brand();
create trigger note_arrived_sums after insert on public.deals
  referencing new table as arrived for each statement execute function private.note_sums();
create trigger note_changed_sums after update on public.deals
  referencing new table as arrived old table as gone for each statement execute function private.note_sums();
create trigger note_gone_sums after delete on public.deals
  referencing old table as gone for each statement execute function private.note_sums();
create trigger forget_figures after delete on public.brands
  for each row execute function private.forget_figures();

-- CHECKED

-- What the figures are by plain SQL.
create function private.counted_figures() returns setof private.kept_figures
language sql stable set search_path = ''
as $$
  select c.brand_id, 'contacts', null::uuid, null::uuid, null, count(*), 0::numeric from public.contacts c group by c.brand_id
  union all select o.brand_id, 'companies', null, null, null, count(*), 0 from public.companies o group by o.brand_id
  union all select t.brand_id, 'tasks', null, null, null, count(*), 0 from public.tasks t group by t.brand_id
  union all select d.brand_id, 'deals', d.stage_id, d.owner_id, d.amount_currency, count(*), sum(d.amount)
    from public.deals d group by d.brand_id, d.stage_id, d.owner_id, d.amount_currency
$$;

-- Kept figures that are wrong, as what is missing from them. For the operator: select * from private.wrong_figures();
create function private.wrong_figures() returns setof private.kept_figures
language sql stable set search_path = ''
as $$
  select f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency, sum(f.count)::bigint, sum(f.amount)
  from (
    select * from private.counted_figures()
    union all select k.brand_id, k.table_name, k.stage_id, k.owner_id, k.currency, -k.count, -k.amount from private.kept_figures k
  ) f
  group by f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency
  having sum(f.count) <> 0 or sum(f.amount) <> 0
$$;

-- Counts everything anew, while all writers wait: for rows that came without triggers. For the operator:
-- select private.count_all_figures();
create function private.count_all_figures() returns void
language plpgsql set search_path = ''
as $$
begin
  lock table public.companies, public.contacts, public.deals, public.tasks, private.kept_figures in share row exclusive mode;
  delete from private.kept_figures;
  insert into private.kept_figures select * from private.counted_figures();
end
$$;
select private.count_all_figures();

-- The bundled server calls this after a restore: devices may have seen later rows, and the rows came without triggers.
create or replace function private.on_restore() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.raise_epoch();
  perform private.count_all_figures();
end
$$;

-- ANSWERED

create or replace function private.row_counts(p_brand_id uuid, p_tables text[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_table record;
  v_count bigint;
  v_counts text[] := '{}';
begin
  for v_table in
    select s.name, s.brand_column from private.synced_tables s
    where p_tables is null or s.name = any (p_tables) order by s.position
  loop
    if private.kept_columns(v_table.name) is null then
      execute format('select count(*) from public.%I where %I = $1', v_table.name, v_table.brand_column)
      into v_count using p_brand_id;
    else
      select coalesce(sum(k.count), 0) into v_count from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = v_table.name;
    end if;
    v_counts := v_counts || (to_json(v_table.name) || ':' || v_count);
  end loop;
  return '{' || array_to_string(v_counts, ',') || '}';
end
$$;

create or replace function private.board_page(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    with cards as materialized (
      select d.* from public.deal_stages s
      cross join lateral (
        select * from public.deals d
        where d.brand_id = s.brand_id and d.stage_id = s.id and (p_owner_id is null or d.owner_id = p_owner_id)
        order by d.created_at desc, d.id
        limit least(greatest(coalesce(p_cards, 20), 0), 200)
      ) d
      where s.brand_id = p_brand_id
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

-- What closes in a period.
create index deals_in_closing_order_idx on public.deals (brand_id, expected_close_date, name collate private.by_name, id);

create or replace function public.dashboard(p_brand_id uuid, p_time_zone text default 'UTC') returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_zone text := coalesce(p_time_zone, 'UTC');
  v_today timestamp;
  v_month date;
  v_tomorrow timestamptz;
  v_in_a_week timestamptz := now() + interval '168 hours';
  v_a_week_ago timestamptz := now() - interval '168 hours';
begin
  perform private.assert_member(p_brand_id);
  begin
    v_today := date_trunc('day', now() at time zone v_zone);
  exception when invalid_parameter_value then
    v_zone := 'UTC';
    v_today := date_trunc('day', now() at time zone v_zone);
  end;
  v_month := date_trunc('month', v_today)::date;
  v_tomorrow := (v_today + interval '1 day') at time zone v_zone;
  return (
    with active as materialized (
      select k.currency, sum(k.count) as n, sum(k.amount) as amount
      from private.kept_figures k
      join public.deal_stages s on s.brand_id = k.brand_id and s.id = k.stage_id
      where k.brand_id = p_brand_id and k.table_name = 'deals' and s.kind = 'open'
      group by k.currency having sum(k.count) <> 0
    ),
    open_tasks as materialized (
      select count(*) as n,
        count(*) filter (where t.due_at < now()) as overdue,
        count(*) filter (where t.due_at between now() and v_in_a_week) as this_week,
        count(*) filter (where t.due_at >= now() and t.due_at < v_tomorrow) as today
      from public.tasks t where t.brand_id = p_brand_id and t.status = 'open'
    )
    select json_build_object(
      'active_deals', (select coalesce(sum(a.n), 0)::bigint from active a),
      'close_this_month', (
        select count(*) from public.deals d join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
        where d.brand_id = p_brand_id and s.kind = 'open'
          and d.expected_close_date >= v_month and d.expected_close_date < (v_month + interval '1 month')::date
      ),
      'pipeline', coalesce((
        select json_agg(json_build_object('currency', a.currency, 'amount', a.amount) order by a.currency <> 'GBP', a.currency)
        from active a
      ), '[]'),
      'contacts', (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'contacts'),
      'contacts_this_week', (select count(*) from public.contacts c where c.brand_id = p_brand_id and c.created_at > v_a_week_ago),
      'companies', (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'companies'),
      'companies_this_week', (select count(*) from public.companies c where c.brand_id = p_brand_id and c.created_at > v_a_week_ago),
      'open_tasks', t.n,
      'overdue', t.overdue,
      'due_this_week', t.this_week,
      'due_today', t.today
    )
    from open_tasks t
  );
end
$$;

revoke execute on all functions in schema private from public;

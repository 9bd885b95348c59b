-- Further figures are kept: how many contacts and companies an owner has, how many tasks are open, and of whom; how many records came on a
-- day, and what closes in a month. These are lists that everybody looks at, and the figures of the overview: to count half a million
-- contacts took 45 ms.

alter table private.kept_figures
  -- Of tasks; whose they are stands in owner_id.
  add column status text,
  -- Of the figures that are called 'contacts_created' and 'companies_created' a day (UTC), of 'deals_closing' the first of a month.
  add column day date;
drop index private.kept_figures_idx;
create index kept_figures_idx on private.kept_figures (brand_id, table_name, day);

-- WRITTEN

drop function private.fold_figures(uuid, text);

-- Replaces the lines of a figure by their sums; p_days: only those of these days. One caller at a time folds, the others go on. Not under a
-- snapshot that is older than the lines of others.
create function private.fold_figures(p_brand_id uuid, p_table text, p_days date[] default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock(hashtextextended('kept_figures ' || p_table || p_brand_id, 0)) then
    return;
  end if;
  with folded as (
    delete from private.kept_figures k
    where k.brand_id = p_brand_id and k.table_name = p_table and (p_days is null or k.day = any (p_days)) returning k.*
  )
  insert into private.kept_figures
  select f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency, sum(f.count), sum(f.amount), f.status, f.day
  from folded f group by f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency, f.status, f.day
  having sum(f.count) <> 0 or sum(f.amount) <> 0;
end
$$;

-- The day (UTC) of a moment.
create function private.utc_day(p_moment timestamptz) returns date
language sql immutable
as $$
  select (p_moment at time zone 'UTC')::date
$$;

-- After contacts or companies were inserted or deleted. What goes with its brand is not noted.
create or replace function private.note_count() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  -- One line for each owner, and one for each day.
  insert into private.kept_figures (brand_id, table_name, owner_id, day, count)
  select c.brand_id, case grouping(c.owner_id) when 0 then tg_table_name else tg_table_name || '_created' end, c.owner_id, private.utc_day(c.created_at),
    v_sign * count(*)
  from changed c where exists (select from public.brands b where b.id = c.brand_id)
  group by grouping sets ((c.brand_id, c.owner_id), (c.brand_id, private.utc_day(c.created_at)));
  if random() < 0.02 then
    perform private.fold_figures(c.brand_id, tg_table_name), private.fold_figures(c.brand_id, tg_table_name || '_created', c.days)
    from (select n.brand_id, array_agg(distinct private.utc_day(n.created_at)) as days from changed n group by n.brand_id) c;
  end if;
  return null;
end
$$;

create function private.note_task_count() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.kept_figures (brand_id, table_name, owner_id, status, count)
  select c.brand_id, 'tasks', c.assignee_id, c.status, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed c where exists (select from public.brands b where b.id = c.brand_id)
  group by c.brand_id, c.assignee_id, c.status;
  if random() < 0.02 then
    perform private.fold_figures(c.brand_id, 'tasks') from (select distinct brand_id from changed) c;
  end if;
  return null;
end
$$;
drop trigger note_arrived on public.tasks;
create trigger note_arrived after insert on public.tasks
  referencing new table as changed for each statement execute function private.note_task_count();
drop trigger note_gone on public.tasks;
create trigger note_gone after delete on public.tasks
  referencing old table as changed for each statement execute function private.note_task_count();

-- After a record came to another owner, or to another brand, which only the secret key can do. Most updates change neither, so the
-- trigger is one of rows with a condition: it costs those nothing. Many rows may change at once, so few of them fold.
create function private.note_other_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.kept_figures (brand_id, table_name, owner_id, count)
  values (old.brand_id, tg_table_name, old.owner_id, -1), (new.brand_id, tg_table_name, new.owner_id, 1);
  if old.brand_id <> new.brand_id then
    insert into private.kept_figures (brand_id, table_name, day, count)
    values (old.brand_id, tg_table_name || '_created', private.utc_day(old.created_at), -1),
      (new.brand_id, tg_table_name || '_created', private.utc_day(new.created_at), 1);
  end if;
  if random() < 0.005 then
    perform private.fold_figures(new.brand_id, tg_table_name);
  end if;
  return null;
end
$$;

create function private.note_other_task() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.kept_figures (brand_id, table_name, owner_id, status, count)
  values (old.brand_id, 'tasks', old.assignee_id, old.status, -1), (new.brand_id, 'tasks', new.assignee_id, new.status, 1);
  if random() < 0.005 then
    perform private.fold_figures(new.brand_id, 'tasks');
  end if;
  return null;
end
$$;

drop trigger note_other_brand on public.contacts;
drop trigger note_other_brand on public.companies;
drop trigger note_other_brand on public.tasks;
drop function private.note_other_brand();
create trigger note_other_owner after update of brand_id, owner_id on public.contacts
  for each row when (old.owner_id is distinct from new.owner_id or old.brand_id <> new.brand_id) execute function private.note_other_owner();
create trigger note_other_owner after update of brand_id, owner_id on public.companies
  for each row when (old.owner_id is distinct from new.owner_id or old.brand_id <> new.brand_id) execute function private.note_other_owner();
create trigger note_other_task after update of brand_id, status, assignee_id on public.tasks
  for each row when (old.status <> new.status or old.assignee_id is distinct from new.assignee_id or old.brand_id <> new.brand_id)
  execute function private.note_other_task();

-- The first of the month of a day.
create function private.month_of(p_day date) returns date
language sql immutable
as $$
  select p_day - (extract(day from p_day)::integer - 1)
$$;

-- After deals were written. What goes with its brand is not noted.
create or replace function private.note_sums() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- One line for each stage, owner and currency, and one for each stage, currency and month.
  if tg_op = 'INSERT' then
    insert into private.kept_figures
    select a.brand_id, case grouping(a.owner_id) when 0 then 'deals' else 'deals_closing' end, a.stage_id, a.owner_id, a.amount_currency, count(*), sum(a.amount),
      null, private.month_of(a.expected_close_date)
    from arrived a
    group by grouping sets ((a.brand_id, a.stage_id, a.owner_id, a.amount_currency), (a.brand_id, a.stage_id, a.amount_currency, private.month_of(a.expected_close_date)))
    having (grouping(a.owner_id) = 0 or private.month_of(a.expected_close_date) is not null);
  elsif tg_op = 'DELETE' then
    insert into private.kept_figures
    select g.brand_id, case grouping(g.owner_id) when 0 then 'deals' else 'deals_closing' end, g.stage_id, g.owner_id, g.amount_currency, -count(*), -sum(g.amount),
      null, private.month_of(g.expected_close_date)
    from gone g where exists (select from public.brands b where b.id = g.brand_id)
    group by grouping sets ((g.brand_id, g.stage_id, g.owner_id, g.amount_currency), (g.brand_id, g.stage_id, g.amount_currency, private.month_of(g.expected_close_date)))
    having (grouping(g.owner_id) = 0 or private.month_of(g.expected_close_date) is not null);
  else
    insert into private.kept_figures
    select c.brand_id, case grouping(c.owner_id) when 0 then 'deals' else 'deals_closing' end, c.stage_id, c.owner_id, c.amount_currency, sum(c.n), sum(c.n * c.amount),
      null, private.month_of(c.expected_close_date)
    from (
      select a.brand_id, a.stage_id, a.owner_id, a.amount_currency, a.amount, a.expected_close_date, 1 as n from arrived a
      union all select g.brand_id, g.stage_id, g.owner_id, g.amount_currency, g.amount, g.expected_close_date, -1 from gone g
    ) c
    group by grouping sets ((c.brand_id, c.stage_id, c.owner_id, c.amount_currency), (c.brand_id, c.stage_id, c.amount_currency, private.month_of(c.expected_close_date)))
    having (sum(c.n) <> 0 or sum(c.n * c.amount) <> 0) and (grouping(c.owner_id) = 0 or private.month_of(c.expected_close_date) is not null);
  end if;
  if random() < 0.02 then
    if tg_op = 'DELETE' then
      perform private.fold_figures(g.brand_id, 'deals'), private.fold_figures(g.brand_id, 'deals_closing', g.months)
      from (select o.brand_id, array_agg(distinct private.month_of(o.expected_close_date)) as months from gone o group by o.brand_id) g;
    else
      perform private.fold_figures(a.brand_id, 'deals'), private.fold_figures(a.brand_id, 'deals_closing', a.months)
      from (select n.brand_id, array_agg(distinct private.month_of(n.expected_close_date)) as months from arrived n group by n.brand_id) a;
    end if;
  end if;
  return null;
end
$$;

-- READ

-- How many contacts or companies came after a moment: whole days from kept figures, the rest of its day by the index.
create function private.created_since(p_table text, p_brand_id uuid, p_moment timestamptz) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_day constant date := private.utc_day(p_moment);
  v_first bigint;
begin
  execute format('select count(*) from public.%I r where r.brand_id = $1 and r.created_at > $2 and r.created_at < $3', p_table)
  into v_first using p_brand_id, p_moment, (v_day + 1)::timestamp at time zone 'UTC';
  return v_first + (
    select coalesce(sum(k.count), 0) from private.kept_figures k
    where k.brand_id = p_brand_id and k.table_name = p_table || '_created' and k.day > v_day
  );
end
$$;

-- CHECKED

-- What the figures are by plain SQL.
create or replace function private.counted_figures() returns setof private.kept_figures
language sql stable set search_path = ''
as $$
  select c.brand_id, 'contacts', null::uuid, c.owner_id, null, count(*), 0::numeric, null, null::date from public.contacts c group by c.brand_id, c.owner_id
  union all select c.brand_id, 'contacts_created', null, null, null, count(*), 0, null, private.utc_day(c.created_at)
    from public.contacts c group by c.brand_id, private.utc_day(c.created_at)
  union all select o.brand_id, 'companies', null, o.owner_id, null, count(*), 0, null, null from public.companies o group by o.brand_id, o.owner_id
  union all select o.brand_id, 'companies_created', null, null, null, count(*), 0, null, private.utc_day(o.created_at)
    from public.companies o group by o.brand_id, private.utc_day(o.created_at)
  union all select t.brand_id, 'tasks', null, t.assignee_id, null, count(*), 0, t.status, null from public.tasks t group by t.brand_id, t.assignee_id, t.status
  union all select d.brand_id, 'deals', d.stage_id, d.owner_id, d.amount_currency, count(*), sum(d.amount), null, null
    from public.deals d group by d.brand_id, d.stage_id, d.owner_id, d.amount_currency
  union all select d.brand_id, 'deals_closing', d.stage_id, null, d.amount_currency, count(*), sum(d.amount), null, private.month_of(d.expected_close_date)
    from public.deals d where d.expected_close_date is not null
    group by d.brand_id, d.stage_id, d.amount_currency, private.month_of(d.expected_close_date)
$$;

-- Kept figures that are wrong, as what is missing from them. For the operator: select * from private.wrong_figures();
create or replace function private.wrong_figures() returns setof private.kept_figures
language sql stable set search_path = ''
as $$
  select f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency, sum(f.count)::bigint, sum(f.amount), f.status, f.day
  from (
    select * from private.counted_figures()
    union all select k.brand_id, k.table_name, k.stage_id, k.owner_id, k.currency, -k.count, -k.amount, k.status, k.day from private.kept_figures k
  ) f
  group by f.brand_id, f.table_name, f.stage_id, f.owner_id, f.currency, f.status, f.day
  having sum(f.count) <> 0 or sum(f.amount) <> 0
$$;
select private.count_all_figures();

revoke execute on all functions in schema private from public;

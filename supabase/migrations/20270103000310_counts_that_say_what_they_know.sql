-- Counts the rows of a list only as far as the screen shows the number: '1,000+'. If the kept figures have the number, nothing is counted.
-- Else a sample of the newest records shows whether many rows match, and only a small number of rows is counted exactly.

-- Examines the newest p_limit rows of p_table. `looked` is the number of examined rows, `matched` the number of those that meet p_filter,
-- a condition on a row called r, in which $1 is the brand p_brand_id.
create function private.sample(p_table text, p_filter text, p_brand_id uuid, p_limit integer, out looked bigint, out matched bigint)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
begin
  execute format(
    'select count(*), count(*) filter (where %s) from (select r.* from public.%I r where r.brand_id = $1 order by r.created_at desc, r.id limit %s) r',
    p_filter, p_table, p_limit)
  into looked, matched using p_brand_id;
end
$$;

-- Returns p_count rounded down to hundreds, below 100 to tens, and below 10 unchanged. It is for a count that may be incomplete: a list
-- shows 247 as '200+'.
create function private.rounded_down(p_count bigint) returns bigint
language sql immutable
as $$
  select p_count - p_count % case when p_count < 10 then 1 when p_count < 100 then 10 else 100 end
$$;

-- Returns { total, more } of a query. p_count: the number of rows that were counted. p_is_all: true if the query has no other rows. p_most:
-- the largest total to return. `more` is true if the query has or may have more rows than `total`. Returns null if p_most is null.
create function private.count_at_least(p_count bigint, p_is_all boolean, p_most integer) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if p_most is null then
    return null;
  end if;
  return jsonb_build_object(
    'total', case when p_is_all or p_count > p_most then least(p_count, p_most) else private.rounded_down(p_count) end,
    'more', not p_is_all or p_count > p_most);
end
$$;

-- Returns how many rows of p_table the brand p_brand_id has, from the kept figures. Returns 0 for a table without kept figures.
create function private.kept_total(p_table text, p_brand_id uuid) returns bigint
language plpgsql stable set search_path = ''
as $$
begin
  return (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = p_table);
end
$$;

drop function private.query_count(text, text, uuid, integer);

-- Returns { total, more } of a query: the number of rows of p_table that meet p_filter, counted no further than p_most. p_filter: a
-- condition on a row called r, in which $1 is the brand p_brand_id and $3 is p_ids. In a large brand, the function examines the newest
-- records first. If many of them match, it returns their number, rounded down, and `more`, without counting further.
create function private.query_count(p_table text, p_filter text, p_brand_id uuid, p_most integer, p_ids uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_looked constant integer := private.first_look() / 2;
  v_sample record;
  v_count bigint;
begin
  if p_ids is null and p_table in ('contacts', 'companies', 'deals') and private.kept_total(p_table, p_brand_id) > 10 * private.first_look() then
    v_sample := private.sample(p_table, p_filter, p_brand_id, v_looked);
    if v_sample.looked < v_looked or v_sample.matched * 33 >= v_looked then
      return private.count_at_least(v_sample.matched, v_sample.looked < v_looked, p_most);
    end if;
  end if;
  execute format('select count(*) from (select from public.%I r where %s limit %s) r', p_table, p_filter, p_most::bigint + 1)
  into v_count using p_brand_id, null::text, p_ids;
  return private.count_at_least(v_count, v_count <= p_most, p_most);
end
$$;

drop function private.query_figures(text, text, uuid, boolean);

-- Returns the exact number of rows of p_table that meet p_filter: { total }. If p_sums is true, the rows are deals, and the result also has
-- `sums`: their number and amount per currency. p_filter: a condition on a row called r, in which $1 is the brand p_brand_id and $3 is
-- p_ids.
create function private.query_figures(p_table text, p_filter text, p_brand_id uuid, p_sums boolean, p_ids uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_nestloop = off
as $$
declare
  v_figures jsonb;
  v_count bigint;
begin
  if not p_sums then
    execute format('select count(*) from public.%I r where %s', p_table, p_filter) into v_count using p_brand_id, null::text, p_ids;
    return jsonb_build_object('total', v_count);
  end if;
  execute format(
    'select jsonb_build_object(''total'', coalesce(sum(g.count), 0), ''sums'', coalesce(jsonb_agg(g order by g.currency), ''[]''))
     from (
       select r.amount_currency as currency, count(*) as count, sum(r.amount) as amount from public.%I r where %s group by r.amount_currency
     ) g', p_table, p_filter)
  into v_figures using p_brand_id, null::text, p_ids;
  return v_figures;
end
$$;

drop function private.figures_by_stage(text, uuid);

-- Returns the figures of deals by stage: { stage id: { total, sums } }, without stages that have no deals. So one statement reads the
-- figures of all columns of a board. p_filter: a condition on a deal called r that does not name a stage, in which $1 is the brand
-- p_brand_id and $3 is p_ids. p_source: the table_name of the kept figures to sum up (private.kept_source); null to count the deals.
create function private.figures_by_stage(p_filter text, p_brand_id uuid, p_source text, p_ids uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_nestloop = off
as $$
declare
  v_figures jsonb;
begin
  execute format(
    'select coalesce(jsonb_object_agg(s.stage_id, jsonb_build_object(''total'', s.total, ''sums'', s.sums)), ''{}'')
     from (
       select g.stage_id, sum(g.count) as total, jsonb_agg(jsonb_build_object(''currency'', g.currency, ''count'', g.count, ''amount'', g.amount) order by g.currency) as sums
       from (%s) g
       group by g.stage_id
     ) s',
    case when p_source is not null
      then format('select r.stage_id, r.currency, sum(r.count) as count, sum(r.amount) as amount from %s r where %s
        group by r.stage_id, r.currency having sum(r.count) <> 0', private.kept_rows(p_source), p_filter)
      else format('select r.stage_id, r.amount_currency as currency, count(*) as count, sum(r.amount) as amount from public.deals r where %s
        group by r.stage_id, r.amount_currency', p_filter)
    end)
  into v_figures using p_brand_id, null::text, p_ids;
  return v_figures;
end
$$;

revoke execute on all functions in schema private from public;

-- Counts and figures. A list counts its rows no further than it shows: '1,000+'. Kept figures answer where they can; otherwise a sample of the
-- newest records estimates the count, and only few rows are counted to the end.

-- How many of the newest rows of a table meet a filter, of p_limit that are looked at.
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

-- A count that is not known to be all: 247 is shown as '200+'.
create function private.rounded_down(p_count bigint) returns bigint
language sql immutable
as $$
  select p_count - p_count % case when p_count < 10 then 1 when p_count < 100 then 10 else 100 end
$$;

-- { total, more } of a query of which p_count rows are known: all, or some. Null without p_most.
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

-- How many rows of a table a brand has, of those whose number is kept.
create function private.kept_total(p_table text, p_brand_id uuid) returns bigint
language plpgsql stable set search_path = ''
as $$
begin
  return (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = p_table);
end
$$;

drop function private.query_count(text, text, uuid, integer);

-- How many rows a query has, counted no further than p_most: { total, more }. p_ids: $3 of the filter. In a large brand the newest records are looked
-- at first: where many of them are counted, that is enough to say that there are more.
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

-- The exact number of rows of a query, and the sums of its deals. p_ids: $3 of the filter.
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

-- The figures of deals for each stage that has some: what several columns of a board ask for is read once. p_filter: without a stage, and with p_ids
-- as $3. p_source: from the kept figures of this name.
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

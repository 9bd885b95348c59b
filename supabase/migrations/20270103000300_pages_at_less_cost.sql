-- Reads pages of lists and boards at less cost. A page took 4 ms of processor time. 3 ms of it went into look-ups in the catalogue, into
-- planning, and into JSON that was built, parsed and built again. Now each row is converted to JSON once, and one statement reads all
-- columns of a board.

-- KEPT FIGURES

-- Returns the columns of p_table by which its kept figures are counted. Returns null if the table has no kept figures.
create or replace function private.kept_columns(p_table text) returns text[]
language sql immutable
as $$
  select case p_table
    when 'deals' then array['stage_id', 'owner_id']
    when 'contacts' then array['owner_id']
    when 'companies' then array['owner_id']
    when 'tasks' then array['status', 'assignee_id']
  end
$$;

-- Returns the table_name of the rows of private.kept_figures from which the figures of a query can be summed up. p_table: the table of the
-- query. p_query: a query of read_queries. Returns null if the figures have to be counted.
create function private.kept_source(p_table text, p_query jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_columns constant text[] := array(select jsonb_object_keys(coalesce(p_query -> 'where', '{}')));
  v_closing constant jsonb := p_query #> '{where,expected_close_date}';
begin
  if coalesce(p_query ->> 'search', '') <> '' then
    return null;
  elsif v_columns <@ private.kept_columns(p_table) then
    return p_table;
  elsif p_table = 'deals' and v_columns <@ array['stage_id', 'expected_close_date'] and jsonb_typeof(v_closing) = 'object'
    and v_closing - array['gte', 'lt'] = '{}' and v_closing ->> 'gte' like '____-__-01' and v_closing ->> 'lt' like '____-__-01' then
    -- The period consists of whole months.
    return 'deals_closing';
  end if;
  return null;
end
$$;

-- Returns SQL of a subquery with the rows of private.kept_figures whose table_name is p_source. Some columns also have the names of the
-- columns of the counted table, so that a filter of that table works on the subquery. $1 is the brand.
create function private.kept_rows(p_source text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return format(
    '(select k.*, k.owner_id as assignee_id, k.day as expected_close_date from private.kept_figures k where k.brand_id = $1 and k.table_name = %L)', p_source);
end
$$;

drop function private.is_kept(text, jsonb);
drop function private.kept_query_figures(text, text, uuid, boolean);

-- Returns the same figures as query_figures, from the kept figures. p_source: their table_name (private.kept_source). p_filter: a condition
-- on a row called r of the counted table. p_brand_id: the brand. p_sums: true to also return the sums of the deals per currency.
create function private.kept_query_figures(p_source text, p_filter text, p_brand_id uuid, p_sums boolean) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_count bigint;
  v_figures jsonb;
begin
  if not p_sums then
    execute format('select coalesce(sum(r.count), 0) from %s r where %s', private.kept_rows(p_source), p_filter) into v_count using p_brand_id;
    return jsonb_build_object('total', v_count);
  end if;
  execute format(
    'select jsonb_build_object(''total'', coalesce(sum(g.count), 0), ''sums'', coalesce(jsonb_agg(g order by g.currency), ''[]''))
     from (
       select r.currency, sum(r.count) as count, sum(r.amount) as amount from %s r where %s group by r.currency having sum(r.count) <> 0
     ) g', private.kept_rows(p_source), p_filter)
  into v_figures using p_brand_id;
  return v_figures;
end
$$;

-- BUDGETS

-- Returns the number of newest records that a search reads first, to estimate how many records match. Other budgets, also those of counts,
-- are multiples or fractions of this number.
create function private.first_look() returns integer
language sql immutable
as $$
  select 2000
$$;

-- Returns the largest number of matching records that counts as few. If few records match a query, all of them are read. If more match,
-- the query tries to read only the first ones.
create function private.few_hits() returns integer
language sql immutable
as $$
  select 5000
$$;

-- PAGES

-- Returns the number of rows of a page: p_limit, but at least 1 and at most 1000, or 50 if p_limit is null. The function has no `set`
-- clause, so that PostgreSQL can inline it. A function in SQL with a `set` clause is planned at each call.
create or replace function private.page_size(p_limit integer) returns integer
language sql immutable
as $$
  select least(greatest(coalesce(p_limit, 50), 1), 1000)
$$;

-- Returns SQL of the columns of p_table that devices receive, of a row called r, as a list for `select`.
create function private.listed_columns(p_table text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select string_agg(format('r.%I', a.attname), ', ' order by a.attnum)
    from private.synced_tables s
    join pg_catalog.pg_attribute a on a.attrelid = format('public.%I', s.name)::regclass and a.attnum > 0 and not a.attisdropped
    where s.name = p_table and a.attname <> all (s.kept_back)
  );
end
$$;

-- Returns the tables that p_table has foreign keys to, with the columns of these keys: { companies: ["company_id"] }. Leaves out brands,
-- memberships and deal_stages, because every device has all of their rows.
create function private.row_links(p_table text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_object_agg(l.name, l.columns), '{}')
    from (
      select s.name, jsonb_agg(a.attname) as columns
      from pg_catalog.pg_constraint k
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
      join pg_catalog.pg_class c on c.oid = k.confrelid
      join private.synced_tables s on s.name = c.relname
      where k.conrelid = format('public.%I', p_table)::regclass and k.contype = 'f' and cardinality(k.conkey) = 2
        and c.relnamespace = 'public'::regnamespace and s.name not in ('brands', 'memberships', 'deal_stages')
      group by s.name
    ) l
  );
end
$$;

-- Returns SQL of an object with the ids that rows called d refer to, by table: { companies: ids }. p_links: the result of
-- private.row_links.
create function private.named_by(p_links jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return format('jsonb_build_object(%s)', (
    select string_agg(format('%L, %s', l.key, (
      select string_agg(format('coalesce(array_agg(distinct d.%1$I) filter (where d.%1$I is not null), ''{}'')', c.name), ' || ')
      from jsonb_array_elements_text(l.value) c (name)
    )), ', ')
    from jsonb_each(p_links) l
  ));
end
$$;

-- Returns SQL of the columns in p_links (the result of private.row_links), of a row called r. The text continues a list for `select`.
create function private.link_columns(p_links jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return (select string_agg(distinct format(', r.%I', c.name), '') from jsonb_each(p_links) l cross join jsonb_array_elements_text(l.value) c (name));
end
$$;

-- Returns p_names with the ids of p_more added. Both are objects of ids by table, as the SQL of private.named_by builds them.
create function private.with_names(p_names jsonb, p_more jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return p_names || (select coalesce(jsonb_object_agg(m.key, coalesce(p_names -> m.key, '[]') || m.value), '{}') from jsonb_each(p_more) m);
end
$$;

-- Returns the rows that p_names lists (ids by table): `named` has them by table, and `bytes` is their total size. If the rows of a table
-- are larger than an answer may be, `named` lacks some of them, but `bytes` counts them all.
create function private.rows_of_names(p_brand_id uuid, p_names jsonb, out named json, out bytes bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_table text;
  v_ids uuid[];
  v_rows json;
  v_bytes bigint;
  v_tables text[] := '{}';
  v_all json[] := '{}';
begin
  bytes := 0;
  for v_table, v_ids in
    select n.key, array(select distinct i::uuid from jsonb_array_elements_text(n.value) i) from jsonb_each(p_names) n
  loop
    continue when cardinality(v_ids) = 0;
    -- Because of `offset 0`, PostgreSQL builds the JSON of each row only once.
    execute format(
      'select coalesce(json_agg(s.data) filter (where s.bytes <= $3), ''[]''), coalesce(max(s.bytes), 0)
       from (
         select x.data, sum(pg_column_size(x.data)) over (order by x.id rows unbounded preceding) as bytes
         from (select r.id, row_to_json(r) as data from (select %s from public.%I r where r.brand_id = $1 and r.id = any ($2)) r offset 0) x
       ) s', private.listed_columns(v_table), v_table)
    into v_rows, v_bytes using p_brand_id, v_ids, private.answer_bytes();
    v_tables := v_tables || v_table;
    v_all := v_all || v_rows;
    bytes := bytes + v_bytes;
  end loop;
  named := (select coalesce(json_object_agg(n.name, n.rows), '{}') from unnest(v_tables, v_all) n (name, rows));
end
$$;

-- Returns the rows of other tables that the rows in p_rows refer to: `named` has them by table, and `bytes` is their total size.
-- p_rows: { table: rows }.
create or replace function private.named_rows(p_brand_id uuid, p_rows jsonb, out named jsonb, out bytes bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_names jsonb := '{}';
  v_table text;
  v_found record;
begin
  for v_table in select jsonb_object_keys(p_rows) loop
    v_names := private.with_names(v_names, (
      select coalesce(jsonb_object_agg(l.key, (
        select coalesce(jsonb_agg(distinct r.data ->> c.name) filter (where r.data ->> c.name is not null), '[]')
        from jsonb_array_elements(p_rows -> v_table) r (data) cross join jsonb_array_elements_text(l.value) c (name)
      )), '{}')
      from jsonb_each(private.row_links(v_table)) l
    ));
  end loop;
  v_found := private.rows_of_names(p_brand_id, v_names);
  named := v_found.named::jsonb;
  bytes := v_found.bytes;
end
$$;

-- Returns SQL of the keys of an order as a list for `select`, where the keys are named k1, k2 … p_keys: the result of private.order_keys.
create function private.key_list(p_keys private.list_orders[]) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return (select string_agg(k.expression || ' as k' || k.place, ', ' order by k.place) from unnest(p_keys) k);
end
$$;

-- Returns SQL of the keys of an order (p_keys) as a list for `order by`, where the keys are named k1, k2 … Null values come last.
create function private.order_list(p_keys private.list_orders[]) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return (
    select string_agg('k' || k.place || case when not k.descending then '' when k.is_required then ' desc' else ' desc nulls last' end, ', ' order by k.place)
    from unnest(p_keys) k
  );
end
$$;

drop function private.query_page(text, jsonb, text, uuid);

-- The result of query_page.
create type private.page as (
  -- The rows, as many as fit into an answer, and the size of all rows of the page in bytes.
  rows json,
  bytes bigint,
  -- The key values and the id of the last row of the page.
  "end" jsonb,
  -- The ids of rows in other tables that the rows refer to, by table.
  names jsonb,
  count bigint,
  -- For a search with a budget: the number of rows it examined, and the number of hits among them. Else null.
  looked bigint,
  matched bigint
);

-- Returns one page of the query p_query on p_table. p_filter: a condition on a row called r, in which $1 is the brand p_brand_id and $3 is
-- p_ids. p_budget: if it is not null, the query examines only the first p_budget rows that meet p_filter, and the page has those rows that
-- a search finds. p_source and p_conditions are then `source` and `conditions` of private.search.
create function private.query_page(
  p_table text, p_query jsonb, p_filter text, p_brand_id uuid, p_ids uuid[] default null,
  p_source text default null, p_conditions text default null, p_budget integer default null
) returns private.page
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_order text := coalesce(p_query ->> 'order', 'newest');
  v_keys private.list_orders[] := private.order_keys(p_table, v_order, p_brand_id);
  v_iscustom boolean := v_keys[1].order_name like 'custom.%';
  v_links jsonb := private.row_links(p_table);
  v_limit integer := private.page_size((p_query ->> 'limit')::integer);
  v_skip integer := greatest(coalesce((p_query ->> 'skip')::integer, 0), 0);
  v_most bigint := coalesce(p_budget, v_limit::bigint + v_skip);
  v_key_list text;
  v_order_list constant text := private.order_list(v_keys);
  v_source text := format('public.%I r %s where %s', p_table, v_keys[1].joined, p_filter);
  v_at text := 'r.ctid';
  v_conditions text[];
  v_stretches text;
  v_source_of_page text;
  v_page private.page;
begin
  if cardinality(v_keys) = 0 then
    raise exception 'The table % has no order %.', p_table, v_order using errcode = '22023';
  end if;
  if v_iscustom then
    -- No index has the values of custom fields in order. So the query reads all records, and computes the value of each record once.
    v_source := format('(select r.id, r.ctid as at, %s as value from %s offset 0) r where true', v_keys[1].expression, v_source);
    v_at := 'r.at';
    v_keys[1].expression := 'r.value';
  end if;
  v_key_list := private.key_list(v_keys);
  v_conditions := private.query_stretches(v_keys, p_query -> 'after');
  if v_iscustom then
    v_conditions := array[array_to_string(v_conditions, ' or ')];
  end if;
  -- Rows whose first key would come from a joined table but is empty are read without the join. An index has them in the order of the
  -- other keys.
  select string_agg(
    case when v_keys[1].joined is not null and starts_with(s.condition, v_keys[1].empty) then
      format('(select r.id, r.ctid as at, %s, %s as stretch from public.%I r where %s and (%s) order by %s, id limit %s)',
        regexp_replace(v_key_list, '^.*? as k1', format('null::%s%s as k1', v_keys[1].type, substring(v_keys[1].expression from ' collate [^ ]+$'))),
        s.place, p_table, p_filter, s.condition, coalesce(nullif(regexp_replace(v_order_list, '^k1[^,]*(, |$)', ''), ''), 'k1'), v_most)
    else
      format('(select r.id, %s as at, %s, %s as stretch from %s and (%s) order by %s, id limit %s)',
        v_at, v_key_list, s.place, v_source, s.condition, v_order_list, v_most)
    end,
    ' union all ' order by s.place)
  into v_stretches from unnest(v_conditions) with ordinality s (condition, place);
  v_source_of_page := case when p_budget is null then format('(%s) p', v_stretches) else 'candidate p where p.id in (select m.id from matching m)' end;
  -- Selects the rows of the page first, and converts only these to JSON. Finds each row again by its ctid. The ctid is still right, because
  -- the whole statement sees one snapshot.
  execute format(
    'with %8$s page as materialized (
       select p.*, row_number() over (order by p.stretch, %1$s, p.id) as place
       from (select * from %2$s order by p.stretch, %1$s, p.id limit %11$s offset %3$s) p
     ),
     data as materialized (
       select p.*, x.*, sum(pg_column_size(x.data)) over (order by p.place rows unbounded preceding) as bytes
       from page p cross join lateral (
         select row_to_json(r) as data%5$s from (select %4$s from public.%6$I r where r.ctid = p.at) r offset 0
       ) x
     )
     select coalesce(json_agg(d.data order by d.place) filter (where d.bytes <= $2), ''[]''), coalesce(max(d.bytes), 0),
       (array_agg(jsonb_build_array(%9$s, d.id) order by d.place desc))[1], %7$s, count(*), %10$s
     from data d',
    v_order_list, v_source_of_page, v_skip, private.listed_columns(p_table), private.link_columns(v_links), p_table, private.named_by(v_links),
    case when p_budget is not null then format(
      'candidate as materialized (select * from (%s) p order by p.stretch, %s, p.id limit %s),
       matching as materialized (select w.id from (%s) w where w.id = any (array(select c.id from candidate c)) and %s), ',
      v_stretches, v_order_list, v_most, p_source, p_conditions) end,
    (select string_agg('d.k' || k.place, ', ' order by k.place) from unnest(v_keys) k),
    case when p_budget is not null then '(select count(*) from candidate), (select count(*) from matching)' else 'null, null' end, v_limit)
  into v_page using p_brand_id, private.answer_bytes(), p_ids;
  return v_page;
end
$$;

-- One row of the result of column_pages: the first page of the deals of one stage. The fields are those of private.page.
create type private.column_page as (stage_id uuid, rows json, "end" jsonb, bytes bigint, names jsonb, count bigint);

-- Returns the first page of deals of each stage in p_stages, newest first. Returns no row for a stage without deals. p_limit: the number of
-- deals per page. p_filter: a condition on a deal called r, in which $1 is the brand p_brand_id and $4 is p_ids. p_budget: the number of
-- newest deals of each stage that are examined; null to read all deals that meet p_filter.
create function private.column_pages(
  p_stages uuid[], p_limit integer, p_filter text, p_brand_id uuid, p_ids uuid[] default null, p_budget integer default null
) returns setof private.column_page
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_links jsonb := private.row_links('deals');
  v_limit integer := private.page_size(p_limit);
begin
  return query execute format(
    'with page as materialized (%1$s),
     data as materialized (
       select p.*, x.*, sum(pg_column_size(x.data)) over (order by p.stage_id, p.k1 desc, p.id rows unbounded preceding) as bytes
       from page p cross join lateral (
         select row_to_json(r) as data%2$s from (select %3$s from public.deals r where r.ctid = p.at) r offset 0
       ) x
     )
     select d.stage_id, json_agg(d.data order by d.k1 desc, d.id) filter (where d.bytes <= $3),
       (array_agg(jsonb_build_array(d.k1, d.id) order by d.k1, d.id desc))[1], sum(pg_column_size(d.data))::bigint, %4$s, count(*)
     from data d group by d.stage_id',
    case when p_budget is null
      then format(
        'select r.stage_id, r.id, r.at, r.k1
         from (
           select r.stage_id, r.id, r.ctid as at, r.created_at as k1, row_number() over (partition by r.stage_id order by r.created_at desc, r.id) as place
           from public.deals r where r.brand_id = $1 and r.stage_id = any ($2) and %s
         ) r
         where r.place <= %s', p_filter, v_limit)
      else format(
        'select p.* from unnest($2) s (id) cross join lateral (
           select r.stage_id, r.id, r.at, r.created_at as k1
           from (select r.*, r.ctid as at from public.deals r where r.brand_id = $1 and r.stage_id = s.id order by r.created_at desc, r.id limit %s) r
           where %s order by r.created_at desc, r.id limit %s
         ) p', p_budget, p_filter, v_limit)
    end,
    private.link_columns(v_links), private.listed_columns('deals'), private.named_by(v_links))
  using p_brand_id, p_stages, private.answer_bytes(), p_ids;
end
$$;

revoke execute on all functions in schema private from public;

-- A page of a list took 4 ms of a processor, of which 3 were spent on the catalogue, on plans and on JSON that was made, taken apart and made
-- again. Rows become text once; the columns of a board are read by one statement. A search reads as much as it has to for its first page: what many
-- records have is found among the newest ones, or among the first of a list; what few have is found by the index, a letter too. A search in the
-- order of names that came to its first hit late read all records: 4 s of a million.

-- KEPT FIGURES

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

-- The kept figures that answer a query, by their name; null: none do.
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
    -- Whole months.
    return 'deals_closing';
  end if;
  return null;
end
$$;

-- The rows of kept_figures that have this name, with their columns called as those of the table. $1: the brand.
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

-- The answer of query_figures from the kept figures of a name (private.kept_source), for a filter of their table.
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

-- So many of the newest records show how frequent it is what a query asks for. Other budgets are multiples of this.
create function private.first_look() returns integer
language sql immutable
as $$
  select 2000
$$;

-- So many records that meet a query are all read; of more the first ones are looked for.
create function private.few_hits() returns integer
language sql immutable
as $$
  select 5000
$$;

-- PAGES

-- Functions in SQL with a `set` are planned at each call; without it this one is inlined.
create or replace function private.page_size(p_limit integer) returns integer
language sql immutable
as $$
  select least(greatest(coalesce(p_limit, 50), 1), 1000)
$$;

-- The columns of a table that devices get, as a list after `select`, of a row called r.
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

-- The tables that rows of a table name, with the columns that name them: { companies: ["company_id"] }. Brands, members and stages are on
-- every device.
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

-- SQL of an object with the ids that rows called d name, by table. p_links: of private.row_links.
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

-- The columns of p_links, for a list after `select`, of a row called r.
create function private.link_columns(p_links jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return (select string_agg(distinct format(', r.%I', c.name), '') from jsonb_each(p_links) l cross join jsonb_array_elements_text(l.value) c (name));
end
$$;

-- What named_by answered for several pages.
create function private.with_names(p_names jsonb, p_more jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return p_names || (select coalesce(jsonb_object_agg(m.key, coalesce(p_names -> m.key, '[]') || m.value), '{}') from jsonb_each(p_more) m);
end
$$;

-- The rows with these ids, by table, and the bytes of all.
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
    -- `offset 0`: the JSON of each row is made once.
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

-- The rows of other tables that these rows name, by table, and the bytes of all. p_rows: { table: rows }.
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

-- The keys of an order as a list after `select`, called k1, k2 …
create function private.key_list(p_keys private.list_orders[]) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return (select string_agg(k.expression || ' as k' || k.place, ', ' order by k.place) from unnest(p_keys) k);
end
$$;

-- The same after `order by`. Empty values come last.
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

-- What query_page answers.
create type private.page as (
  -- As far as an answer holds them, and the bytes of all.
  rows json,
  bytes bigint,
  -- The key values of the last one.
  "end" jsonb,
  -- The ids that they name, by table.
  names jsonb,
  count bigint,
  -- Where a search looked for its hits: at so many rows, and so many were hits.
  looked bigint,
  matched bigint
);

-- Reads one page of a query. p_ids: $3 of the filter. With p_budget the page is of what a search (source and conditions of private.search) finds among
-- the first so many rows of the filter.
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
    -- Without an index: all records are read once, and each value once.
    v_source := format('(select r.id, r.ctid as at, %s as value from %s offset 0) r where true', v_keys[1].expression, v_source);
    v_at := 'r.at';
    v_keys[1].expression := 'r.value';
  end if;
  v_key_list := private.key_list(v_keys);
  v_conditions := private.query_stretches(v_keys, p_query -> 'after');
  if v_iscustom then
    v_conditions := array[array_to_string(v_conditions, ' or ')];
  end if;
  -- Where the first key comes from a joined table and is empty, nothing is joined: the index has the order of the other keys.
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
  -- The page is cut first, then its rows become text. Each is fetched from where it was read: it has not moved, as all of this sees one
  -- snapshot.
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

-- What column_pages answers.
create type private.column_page as (stage_id uuid, rows json, "end" jsonb, bytes bigint, names jsonb, count bigint);

-- Reads the first page of a query in each of some stages, newest first. A stage without rows has none.
-- p_filter: what a deal called r has to be, with p_ids as $4. p_budget: only the first so many deals of each stage are looked at; without it all that
-- the filter has are read.
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

-- SEARCHES

drop function private.search_ids(text, text, uuid, integer);
drop function private.figures_of(text, jsonb, text, uuid);
drop function private.search_conditions(text);

-- One condition for each of the first eight words of a typed text, on the column w.words. Phone numbers are found by their
-- digits, with or without the zeros before them, and international ones also without the country code. Words of one or two
-- letters have no trigram. p_by_letters: they are looked for by the index of letters, which is of use where few records have them. It has
-- those that are rare in most languages, and of other scripts.
create function private.search_conditions(p_search text, p_by_letters boolean default false) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_frequent constant text := ' abcdefghiklmnoprstu0123456789.@-';
  v_rare constant text := '(string_to_array(translate(w.words, %3$L, ''''), null) @> string_to_array(%2$L, null) and strpos(w.words, %1$L) > 0)';
  v_word text;
  v_forms text[];
  v_digits text;
  v_national text;
  v_conditions text[] := '{}';
  v_search text := p_search;
begin
  -- The parts of an international number are one word: up to nine.
  for i in 1..8 loop
    v_search := regexp_replace(v_search, '((?:^|[ \t\n\r\u00a0\u3000])(?:\+|00)[0-9()/.-]*)[ \t\n\r\u00a0\u3000]+(?=[(0-9])', '\1', 'g');
  end loop;
  foreach v_word in array (regexp_split_to_array(v_search, '[ \t\n\r\u00a0\u3000]+'))[1:9] loop
    continue when v_word = '' or cardinality(v_conditions) = 8;
    v_forms := private.folded_forms(v_word);
    v_digits := ltrim(translate(v_word, '+()-/.', ''), '0');
    if v_digits ~ '^[0-9]{2,}$' and (length(v_digits) > 2 or v_word ~ '^[+0]') then
      v_forms := v_forms || v_digits;
      v_national := private.national_digits(v_digits);
      if v_word ~ '^(\+|00)' and length(v_national) > 2 then
        v_forms := v_forms || v_national;
      end if;
    end if;
    if (select min(length(f)) from unnest(v_forms) f) < 3 then
      v_conditions := v_conditions || (
        select '(' || string_agg(distinct format(
            case when p_by_letters and translate(f, v_frequent, '') <> '' then v_rare else 'strpos(w.words, %1$L) > 0' end, f, translate(f, v_frequent, ''), v_frequent
          ), ' or ') || ')'
        from unnest(v_forms) f
      );
    else
      v_conditions := v_conditions || (
        select '(' || string_agg(distinct format('w.words like %L', '%' || regexp_replace(f, '([%_\\])', '\\\1', 'g') || '%'), ' or ') || ')'
        from unnest(v_forms) f
      );
    end if;
  end loop;
  return coalesce(nullif(array_to_string(v_conditions, ' and '), ''), 'true');
end
$$;

-- A search, and what is known of it so far.
create type private.search as (
  table_name text,
  text text,
  -- SQL of the ids, words and moments of the records of the table, called w, and what a search demands of them: for any, and by the index.
  source text,
  conditions text,
  by_index text,
  -- So many of the newest records were looked at, and so many were hits. All of the brand has `total`.
  looked bigint,
  hits bigint,
  total bigint,
  -- All that it finds; null: not known.
  ids uuid[]
);

-- Begins a search. p_text '': nothing is searched for.
create function private.begin_search(p_table text, p_text text, p_brand_id uuid) returns private.search
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off
as $$
declare
  v_search private.search;
begin
  v_search.table_name := p_table;
  v_search.text := p_text;
  if p_text = '' then
    return v_search;
  end if;
  v_search.source := (select l.source from private.list_searches l where l.table_name = p_table);
  if v_search.source is null then
    raise exception 'The table % cannot be searched.', p_table using errcode = '22023';
  end if;
  v_search.conditions := private.search_conditions(p_text);
  v_search.by_index := case when v_search.conditions ~ ' like ' then v_search.conditions else private.search_conditions(p_text, true) end;
  execute format(
    'select count(*), count(*) filter (where %1$s), array_agg(w.id) filter (where %1$s)
     from (select * from (%2$s) w order by w.created_at desc, w.id limit %3$s) w', v_search.conditions, v_search.source, private.first_look())
  into v_search.looked, v_search.hits, v_search.ids using p_brand_id;
  v_search.total := v_search.looked;
  v_search.ids := coalesce(v_search.ids, '{}');
  if v_search.looked = private.first_look() then
    v_search.total := greatest(v_search.looked, private.kept_total(p_table, p_brand_id));
    v_search.ids := null;
  end if;
  return v_search;
end
$$;

-- About how many records a search finds, by those it has looked at.
create function private.expected_hits(p_search private.search) returns bigint
language sql immutable
as $$
  select (p_search).hits * (p_search).total / greatest((p_search).looked, 1)
$$;

-- The search with all of its ids, if they are p_most at most; without p_most all of them.
create function private.with_hits(p_search private.search, p_brand_id uuid, p_most integer default null) returns private.search
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  if p_search.ids is null then
    v_ids := private.first_hits(p_search.source, p_search.by_index, p_brand_id, p_most + 1, null);
    if p_most is null or cardinality(v_ids) <= p_most then
      p_search.ids := v_ids;
    end if;
  end if;
  return p_search;
end
$$;

-- The first ids that a search finds, by an index; without p_limit all of them. p_budget: of the first so many records only.
create or replace function private.first_hits(p_source text, p_conditions text, p_brand_id uuid, p_limit integer, p_budget integer) returns uuid[]
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
declare
  v_ids uuid[];
begin
  execute format('select array(select w.id from (%s%s) w where %s%s)',
    p_source, ' order by id limit ' || p_budget, p_conditions, ' limit ' || p_limit)
  into v_ids using p_brand_id;
  return v_ids;
end
$$;

-- The first ids that a search finds among the newest records that follow after `p_after` (the `end` of a page): at most p_limit, and among
-- p_budget records at most. `is_all`: no more follow.
create function private.newest_hits(
  p_search private.search, p_brand_id uuid, p_after jsonb, p_limit integer, p_budget integer, out ids uuid[], out is_all boolean
)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0
as $$
declare
  v_key constant private.list_orders := row(null, null, 1, 'r.created_at', 'timestamptz', true, true, null, null);
  -- A limit above a union ends it where it is full.
  v_walk constant text := (
    select format('select w.* from (%s) w limit %s', string_agg(
      format('(select r.* from (%s) r where %s order by r.created_at desc, r.id limit %s)', p_search.source, s.condition, p_budget),
      ' union all ' order by s.place), p_budget)
    from unnest(private.query_stretches(array[v_key], p_after)) with ordinality s (condition, place)
  );
  v_looked bigint;
begin
  execute format('select array(select w.id from (%s) w where %s limit %s)', v_walk, p_search.conditions, p_limit) into ids using p_brand_id;
  is_all := false;
  if cardinality(ids) < p_limit then
    execute format('select count(*) from (%s) w', v_walk) into v_looked using p_brand_id;
    is_all := v_looked < p_budget;
  end if;
end
$$;

-- The exact figures of a query with a search: its number of rows, and the sums of its deals. p_filter: without the search.
create function private.found_figures(p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid, p_sums boolean) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_count bigint;
begin
  if private.expected_hits(p_search) <= private.few_hits() then
    p_search := private.with_hits(p_search, p_brand_id, private.few_hits());
  end if;
  if not p_sums and coalesce(p_query -> 'where', '{}') = '{}' then
    if (p_search).ids is not null then
      return jsonb_build_object('total', cardinality((p_search).ids));
    end if;
    execute format('select count(*) from (%s) w where %s', (p_search).source, (p_search).conditions) into v_count using p_brand_id;
    return jsonb_build_object('total', v_count);
  end if;
  return private.query_figures((p_search).table_name, p_filter || private.search_filter(p_search), p_brand_id, p_sums, (p_search).ids);
end
$$;

-- What a search demands of a row called r, for a statement that reads all hits: ' and …', with its ids as $3 where they are known.
create function private.search_filter(p_search private.search) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return case
    when (p_search).source is null then ''
    when (p_search).ids is not null then ' and r.id = any ($3)'
    else format(' and r.id in (select w.id from (%s) w where %s)', (p_search).source, (p_search).conditions)
  end;
end
$$;

-- The first ids that a search finds in an order whose keys stand beside the words, after `p_after` (the `end` of a page), and the number of all hits.
-- All of them are read.
create function private.ordered_hits(
  p_search private.search, p_keys private.list_orders[], p_brand_id uuid, p_after jsonb, p_limit integer, out ids uuid[], out total bigint
)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
begin
  execute format(
    'with hits as materialized (select r.id, %1$s, (%2$s) as follows from (select w.* from (%3$s) w where %4$s) r)
     select array(select h.id from hits h where h.follows order by %5$s, h.id limit %6$s), (select count(*) from hits)',
    private.key_list(p_keys), array_to_string(private.query_stretches(p_keys, p_after), ' or '),
    p_search.source, p_search.by_index, private.order_list(p_keys), p_limit)
  into ids, total using p_brand_id;
end
$$;

-- Looks for a page of a search among the first rows of its order, which hold one where many records are found: twice as many as should be enough, and
-- once more as many as it takes, judging by the first ones. No page: that would be too many. p_is_counted: among so many that their count says
-- something. p_is_wide: where many records are found, among more than a few. `is_all`: there are no other rows.
create function private.page_among_first(
  p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid, p_is_counted boolean, p_is_wide boolean,
  out page private.page, out is_all boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_most_looked constant bigint := 4 * private.first_look();
  v_few constant bigint := private.first_look() / 2;
  v_need constant integer := private.page_size((p_query ->> 'limit')::integer) + greatest(coalesce((p_query ->> 'skip')::integer, 0), 0);
  v_budget bigint := greatest(2 * v_need * (p_search).looked / greatest((p_search).hits, 1), case when p_is_counted then v_few end);
begin
  for v_look in 1..2 loop
    exit when v_budget > v_most_looked
      or (v_look = 1 and v_budget > v_few and not (p_is_wide and private.expected_hits(p_search) > private.few_hits()));
    page := private.query_page(
      (p_search).table_name, p_query, p_filter, p_brand_id, null, (p_search).source, (p_search).conditions, v_budget::integer);
    is_all := (page).looked < v_budget;
    if is_all or (page).matched >= v_need then
      return;
    end if;
    v_budget := case when (page).matched > 0 then 3 * v_budget * v_need / (2 * (page).matched) else v_most_looked + 1 end;
    page := null;
  end loop;
end
$$;

-- One page of a search, as query_page answers it, and { total, more } where the query has `most`. p_filter: of the query without its search.
-- p_search comes back with what was found out about it.
create function private.found_page(
  inout p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid, out page private.page, out figures jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_table constant text := (p_search).table_name;
  v_order constant text := coalesce(p_query ->> 'order', 'newest');
  v_limit constant integer := private.page_size((p_query ->> 'limit')::integer);
  v_need constant integer := v_limit + greatest(coalesce((p_query ->> 'skip')::integer, 0), 0);
  v_most constant integer := case when (p_query ->> 'count')::boolean then (p_query ->> 'most')::integer end;
  v_is_first constant boolean := coalesce(p_query -> 'after', 'null') = 'null';
  v_is_plain constant boolean := coalesce(p_query -> 'where', '{}') = '{}';
  -- The words have what it takes to put the hits in order.
  v_in_words constant boolean := v_is_plain and v_order in ('newest', 'name');
  v_newest_budget constant integer := 6 * private.first_look();
  v_of_ids constant text := p_filter || ' and r.id = any ($3)';
  v_hits record;
  v_among record;
begin
  if (p_search).ids is null and v_is_plain and v_order = 'newest' and private.expected_hits(p_search) > private.few_hits() / 5 then
    v_hits := private.newest_hits(p_search, p_brand_id, p_query -> 'after', greatest(v_need, v_most + 1), v_newest_budget);
    if cardinality(v_hits.ids) >= v_need or v_hits.is_all then
      page := private.query_page(v_table, p_query, v_of_ids, p_brand_id, v_hits.ids[1:v_need]);
      figures := case when v_is_first then private.count_at_least(cardinality(v_hits.ids), v_hits.is_all, v_most) end;
    end if;
  end if;
  if page is null and (p_search).ids is null then
    v_among := private.page_among_first(p_search, p_query, p_filter, p_brand_id, v_most is not null and v_is_first and not v_is_plain, not v_in_words);
    page := v_among.page;
    if v_is_first and (page).looked is not null then
      figures := private.count_at_least(
        greatest((page).matched, case when v_is_plain then (p_search).hits end), v_among.is_all, v_most);
    end if;
  end if;
  if page is null and (p_search).ids is null and v_in_words then
    v_hits := private.ordered_hits(p_search, private.order_keys(v_table, v_order, p_brand_id), p_brand_id, p_query -> 'after', v_need);
    page := private.query_page(v_table, p_query, v_of_ids, p_brand_id, v_hits.ids);
    figures := case when v_is_first then private.count_at_least(v_hits.total, true, v_most) end;
  end if;
  if page is null then
    p_search := private.with_hits(private.with_hits(p_search, p_brand_id, private.few_hits()), p_brand_id);
    page := private.query_page(v_table, p_query, v_of_ids, p_brand_id, (p_search).ids);
    figures := case
      when v_most is null then null
      when v_is_plain then private.count_at_least(cardinality((p_search).ids), true, v_most)
      when v_is_first and (page).count < v_limit then private.count_at_least((page).count, true, v_most)
      else private.query_count(v_table, v_of_ids, p_brand_id, v_most, (p_search).ids)
    end;
  end if;
  -- Of a brand that is not large `most` is counted to, whatever was looked at.
  if (figures ->> 'more')::boolean and (figures ->> 'total')::integer < v_most and (p_search).total <= 10 * private.first_look() then
    figures := private.query_count(v_table, p_filter || private.search_filter(p_search), p_brand_id, v_most, (p_search).ids);
  end if;
end
$$;

-- ANSWERS

-- The first pages of columns of a board. p_query: of one of them; p_filter: without its stage and its search.
create function private.found_columns(
  inout p_search private.search, p_stages uuid[], p_query jsonb, p_filter text, p_brand_id uuid, out columns private.column_page[]
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit constant integer := private.page_size((p_query ->> 'limit')::integer);
  v_budget constant integer := 3 * private.first_look() / 2;
  v_kept constant text := private.kept_source('deals', p_query);
  -- The stages that have deals of the filter, as far as it is kept, and how many: at most, where it is not.
  v_counts jsonb := '{}';
  v_expected bigint;
  v_sample record;
  v_search text := '';
begin
  execute format(
    'select coalesce(jsonb_object_agg(s.stage_id, s.count), ''{}'') from (
       select r.stage_id, sum(r.count) as count from %s r where %s and r.stage_id = any ($2) group by r.stage_id having sum(r.count) > 0
     ) s', private.kept_rows(coalesce(v_kept, 'deals')), case when v_kept is not null then p_filter else 'true' end)
  into v_counts using p_brand_id, p_stages;
  v_expected := (select coalesce(sum(c.value::bigint), 0) from jsonb_each_text(v_counts) c);
  if (p_search).source is not null then
    v_expected := private.expected_hits(p_search);
    if v_expected <= private.few_hits() then
      p_search := private.with_hits(p_search, p_brand_id, private.few_hits());
    end if;
    v_search := case when (p_search).ids is not null then ' and r.id = any ($4)'
      else format(' and (select %s from (%s) w where w.id = r.id)', (p_search).conditions, (p_search).source) end;
  elsif v_kept is null then
    v_sample := private.sample('deals', p_filter, p_brand_id, private.first_look() / 4);
    v_expected := v_sample.matched * private.kept_total('deals', p_brand_id) / greatest(v_sample.looked, 1);
  end if;
  -- A filter that many deals meet is met by some of the newest of each stage.
  if (p_search).ids is null and v_expected > private.few_hits() then
    columns := array(select c from private.column_pages(p_stages, v_limit, p_filter || v_search, p_brand_id, null, v_budget) c);
    if not exists (
      select from jsonb_each_text(v_counts) c
      where not exists (
        select from unnest(columns) p
        where p.stage_id = c.key::uuid and p.count >= case when v_kept is not null then least(c.value::bigint, v_limit) else v_limit end
      ) and c.value::bigint > v_budget
    ) then
      return;
    end if;
    if (p_search).source is not null then
      p_search := private.with_hits(p_search, p_brand_id);
      v_search := ' and r.id = any ($4)';
    end if;
  end if;
  columns := array(select c from private.column_pages(p_stages, v_limit, p_filter || v_search, p_brand_id, (p_search).ids) c);
end
$$;

-- The moment after which the records came that a query asks for, if it asks for nothing else.
create function private.since_when(p_query jsonb) returns timestamptz
language plpgsql stable set search_path = ''
as $$
declare
  v_bounds constant jsonb := p_query #> '{where,created_at}';
begin
  if jsonb_typeof(v_bounds) = 'object' and (p_query -> 'where') - 'created_at' = '{}' and v_bounds - 'gt' = '{}' then
    return private.bound_moment(v_bounds -> 'gt');
  end if;
  return null;
end
$$;

-- The figures of a query: kept ones, as far as `most` demands, or counted to the end. p_search: for `most` known from its page.
create function private.figures_of(p_search private.search, p_query jsonb, p_filter text, p_brand_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_table constant text := p_query ->> 'table';
  v_sums constant boolean := coalesce((p_query ->> 'sums')::boolean, false);
  v_most constant integer := (p_query ->> 'most')::integer;
  v_kept constant text := private.kept_source(v_table, p_query);
begin
  if v_sums and v_table <> 'deals' then
    raise exception 'Only deals have sums.' using errcode = '22023';
  elsif v_kept is not null then
    return private.kept_query_figures(v_kept, p_filter, p_brand_id, v_sums);
  elsif (p_search).source is null and not v_sums and v_table in ('contacts', 'companies') and private.since_when(p_query) is not null then
    return jsonb_build_object('total', private.created_since(v_table, p_brand_id, private.since_when(p_query)));
  elsif (p_search).source is not null then
    return private.found_figures(p_search, p_query, p_filter, p_brand_id, v_sums);
  elsif v_most is not null and not v_sums then
    return private.query_count(v_table, p_filter, p_brand_id, v_most);
  end if;
  return private.query_figures(v_table, p_filter, p_brand_id, v_sums);
end
$$;

-- The answer to one query: rows and the end of the page, where rows were asked for, and its figures.
create function private.query_answer(p_has_rows boolean, p_rows json, p_end jsonb, p_figures jsonb) returns json
language plpgsql immutable set search_path = ''
as $$
begin
  if p_figures is null then
    return json_build_object('rows', p_rows, 'end', p_end);
  end if;
  return (
    select json_object_agg(a.key, a.value) from (
      select 'rows' as key, p_rows as value where p_has_rows
      union all select 'end', p_end::json where p_has_rows
      union all select f.key, f.value::json from jsonb_each(p_figures) f
    ) a
  );
end
$$;

-- Answers up to 50 queries of a brand from one snapshot. A query is
--   { table, where, search, order, after, skip, limit, rows, count, most, sums }
-- where: columns with a value, a list of values, or { gt, gte, lt, lte, "not": null }; { "now": seconds } is relative to now.
-- order: a name of private.list_orders. after: the `end` of another page of the same query: what follows it. skip: and then so
-- many rows on. rows, count, sums: what to answer (rows: unless false). most: count no further than this, or less far where that would
-- take long, and say whether there are `more`.
-- The answer: { answers: [{ rows, end, total, more, sums: [{ currency, count, amount }] }], named: { table: rows } }, the answers in
-- the order of the queries, and in `named` the rows of other tables that the rows name.
create or replace function public.read_queries(p_brand_id uuid, p_queries jsonb) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_query jsonb;
  v_table text;
  v_filter text;
  v_has_rows boolean;
  v_has_figures boolean;
  v_rows json;
  v_end jsonb;
  v_answers json[] := '{}';
  v_names jsonb := '{}';
  v_page private.page;
  v_figures jsonb;
  -- What is searched for.
  v_search private.search;
  -- A query of several that differ in their stage only, and what has been read for all of them.
  v_is_column boolean;
  v_board jsonb;
  v_columns private.column_page[];
  v_column private.column_page;
  v_stages jsonb;
  v_found record;
  v_bytes bigint := 0;
  v_named record;
begin
  perform private.assert_member(p_brand_id);
  if jsonb_typeof(p_queries) is distinct from 'array' or jsonb_array_length(p_queries) > 50 then
    raise exception 'p_queries is a list of at most 50 queries.' using errcode = '22023';
  end if;
  for v_query in select * from jsonb_array_elements(p_queries) loop
    v_table := v_query ->> 'table';
    if not exists (select from private.list_orders l where l.table_name = v_table) then
      raise exception 'A query of p_queries names no table that can be listed.' using errcode = '22023';
    end if;
    v_has_rows := coalesce((v_query ->> 'rows')::boolean, true);
    v_has_figures := coalesce((v_query ->> 'sums')::boolean, false) or coalesce((v_query ->> 'count')::boolean, false);
    if (v_table, coalesce(v_query ->> 'search', '')) is distinct from ((v_search).table_name, (v_search).text) then
      v_search := private.begin_search(v_table, coalesce(v_query ->> 'search', ''), p_brand_id);
      v_board := null;
    end if;
    -- Not so many rows that they would have to be counted while they are read.
    v_is_column := v_table = 'deals' and jsonb_typeof(v_query #> '{where,stage_id}') = 'string'
      and jsonb_array_length(p_queries) between 2 and 5000 / private.page_size((v_query ->> 'limit')::integer);
    if v_is_column and private.board_of(v_query) is distinct from v_board then
      v_board := private.board_of(v_query);
      v_columns := null;
      v_stages := null;
    end if;
    v_filter := private.query_filter(v_table, case when v_is_column then v_query #- '{where,stage_id}' else v_query end, null);
    v_rows := null;
    v_end := null;
    v_figures := null;
    if v_is_column and v_has_rows and private.is_beginning(v_query) then
      if v_columns is null then
        v_found := private.found_columns(v_search, array(
          select distinct (q #>> '{where,stage_id}')::uuid from jsonb_array_elements(p_queries) q
          where private.is_beginning(q) and coalesce((q ->> 'rows')::boolean, true) and private.board_of(q) = v_board
        ), v_query, v_filter, p_brand_id);
        v_columns := v_found.columns;
        v_search := v_found.p_search;
      end if;
      v_column := null;
      select c.* into v_column from unnest(v_columns) c where c.stage_id = (v_query #>> '{where,stage_id}')::uuid;
      v_rows := coalesce((v_column).rows, '[]');
      v_end := (v_column)."end";
      v_bytes := v_bytes + coalesce((v_column).bytes, 0);
      v_names := private.with_names(v_names, coalesce((v_column).names, '{}'));
    elsif v_has_rows or (v_has_figures and (v_search).source is not null and v_query ? 'most') then
      if v_is_column then
        v_filter := private.query_filter(v_table, v_query, null);
      end if;
      if (v_search).source is null then
        v_page := private.query_page(v_table, v_query, v_filter, p_brand_id);
        -- A first page that is not full has all.
        if v_query ? 'most' and v_query ->> 'count' = 'true' and private.is_whole(v_query, v_page.count) then
          v_figures := private.count_at_least(v_page.count, true, (v_query ->> 'most')::integer);
        end if;
      else
        v_found := private.found_page(v_search, case when v_has_rows then v_query else v_query || '{"limit": 1}' end, v_filter, p_brand_id);
        v_search := v_found.p_search;
        v_page := v_found.page;
        v_figures := v_found.figures;
      end if;
      if v_has_rows then
        v_rows := v_page.rows;
        v_end := v_page."end";
        v_bytes := v_bytes + v_page.bytes;
        v_names := private.with_names(v_names, v_page.names);
      end if;
    end if;
    perform private.assert_answer_size(v_bytes);
    if v_is_column and coalesce((v_query ->> 'sums')::boolean, false) then
      if v_stages is null then
        v_filter := private.query_filter(v_table, v_query #- '{where,stage_id}', null);
        if (v_search).source is not null and private.expected_hits(v_search) <= private.few_hits() then
          v_search := private.with_hits(v_search, p_brand_id, private.few_hits());
        end if;
        v_stages := private.figures_by_stage(v_filter || private.search_filter(v_search), p_brand_id, private.kept_source(v_table, v_query), (v_search).ids);
      end if;
      v_figures := coalesce(v_stages -> (v_query #>> '{where,stage_id}'), '{"total": 0, "sums": []}');
    elsif v_has_figures and (v_figures is null or (v_query ->> 'sums')::boolean) then
      v_figures := private.figures_of(v_search, v_query, private.query_filter(v_table, v_query, null), p_brand_id);
    end if;
    -- There are as many as the first page has, whatever was counted.
    if (v_figures ->> 'more')::boolean and v_has_rows and (v_figures ->> 'total')::bigint < v_page.count and coalesce(v_query -> 'after', 'null') = 'null' then
      v_figures := v_figures || jsonb_build_object('total', v_page.count);
    end if;
    v_answers := v_answers || private.query_answer(v_has_rows, v_rows, v_end, v_figures);
  end loop;
  v_named := private.rows_of_names(p_brand_id, v_names);
  perform private.assert_answer_size(v_bytes + v_named.bytes);
  return json_build_object('answers', array_to_json(v_answers), 'named', v_named.named);
end
$$;

-- Whether a page with so many rows has all of its query.
create function private.is_whole(p_query jsonb, p_count bigint) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(p_query -> 'after', 'null') = 'null' and coalesce((p_query ->> 'skip')::integer, 0) <= 0
    and p_count < private.page_size((p_query ->> 'limit')::integer);
end
$$;

-- What the queries of the columns of a board have in common.
create function private.board_of(p_query jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return jsonb_build_array(p_query ->> 'table', coalesce(p_query ->> 'search', ''), (p_query -> 'where') - 'stage_id', p_query -> 'limit');
end
$$;

-- Whether a query of deals asks for the first page, newest first.
create function private.is_beginning(p_query jsonb) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(p_query -> 'after', 'null') = 'null' and coalesce((p_query ->> 'skip')::integer, 0) <= 0 and coalesce(p_query ->> 'order', 'newest') = 'newest'
    and jsonb_typeof(p_query #> '{where,stage_id}') = 'string';
end
$$;

-- What a search finds, as SQL over a row called r: for change_matching.
create or replace function private.search_filters(p_table text, p_search text, p_brand_id uuid, out page text, out figures text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_search private.search := private.begin_search(p_table, p_search, p_brand_id);
begin
  if p_search = '' then
    return;
  end if;
  v_search := private.with_hits(v_search, p_brand_id, private.few_hits() / 5);
  figures := case when (v_search).ids is not null then format('r.id = any (%L::uuid[])', (v_search).ids)
    else format('r.id in (select w.id from (%s) w where %s)', (v_search).source, (v_search).conditions) end;
  page := figures;
end
$$;

-- One page of a search, and how many rows it has in all: { rows, total }.
create or replace function private.search_page(
  p_table text, p_brand_id uuid, p_query text, p_limit integer, p_offset integer, p_owner_id uuid, p_sort text, p_sorts text[]
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_query jsonb := jsonb_build_object('table', p_table, 'search', coalesce(p_query, ''), 'order', p_sort, 'limit', p_limit, 'skip', p_offset)
    || case when p_owner_id is null then '{}' else jsonb_build_object('where', jsonb_build_object('owner_id', p_owner_id)) end;
  v_filter text;
  v_search private.search;
  v_page private.page;
  v_found record;
begin
  perform private.assert_sort(p_sort, p_sorts);
  v_filter := private.query_filter(p_table, v_query, null);
  v_search := private.begin_search(p_table, coalesce(p_query, ''), p_brand_id);
  if (v_search).source is null then
    v_page := private.query_page(p_table, v_query, v_filter, p_brand_id);
  else
    v_found := private.found_page(v_search, v_query, v_filter, p_brand_id);
    v_search := v_found.p_search;
    v_page := v_found.page;
  end if;
  perform private.assert_answer_size(v_page.bytes);
  return jsonb_build_object('rows', v_page.rows) || private.figures_of(v_search, v_query, v_filter, p_brand_id);
end
$$;

revoke execute on all functions in schema private from public;

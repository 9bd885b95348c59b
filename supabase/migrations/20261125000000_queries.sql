-- Lists, searches, counts and sums of a brand's records are answered by one function from queries as plain data. A table
-- becomes readable by it with its orders (private.list_orders) and, where it can be searched, with private.list_searches.

-- Names sort by language, numbers in them by value: 'Item 2' before 'Item 10'. The browser's collator agrees.
create collation private.by_name (provider = icu, locale = 'und-u-kn-true');

-- The keys of an order, first to last; the id comes after all of them. Empty values come last in both directions.
create table private.list_orders (
  table_name text not null,
  order_name text not null,
  place smallint not null,
  -- Of a row called r; $1 is the brand.
  expression text not null,
  type text not null,
  descending boolean not null default false,
  -- Never null: a page can begin by an index condition.
  is_required boolean not null default false,
  primary key (table_name, order_name, place)
);

-- What a search looks at: a condition on a row called r. $1 is the brand, $2 the pattern, $3 the companies and $4 the contacts
-- whose name matches it.
create table private.list_searches (
  table_name text primary key,
  condition text not null
);

create index contacts_in_name_order_idx on public.contacts
  (brand_id, first_name collate private.by_name, last_name collate private.by_name, created_at desc, id);
create index companies_in_name_order_idx on public.companies (brand_id, name collate private.by_name, created_at desc, id);
create index deals_in_name_order_idx on public.deals (brand_id, name collate private.by_name, created_at desc, id);
drop index public.contacts_by_name_idx, public.companies_by_name_idx, public.deals_by_name_idx;

alter table private.list_orders enable row level security;
alter table private.list_searches enable row level security;

insert into private.list_orders (table_name, order_name, place, expression, type, descending, is_required) values
  ('deals', 'newest', 1, 'r.created_at', 'timestamptz', true, true),
  ('deals', 'name', 1, 'r.name collate private.by_name', 'text', false, true),
  ('deals', 'name', 2, 'r.created_at', 'timestamptz', true, true),
  ('deals', 'closing', 1, 'r.expected_close_date', 'date', false, false),
  ('deals', 'closing', 2, 'r.name collate private.by_name', 'text', false, true),
  ('contacts', 'newest', 1, 'r.created_at', 'timestamptz', true, true),
  ('contacts', 'name', 1, 'r.first_name collate private.by_name', 'text', false, false),
  ('contacts', 'name', 2, 'r.last_name collate private.by_name', 'text', false, false),
  ('contacts', 'name', 3, 'r.created_at', 'timestamptz', true, true),
  ('contacts', 'email', 1, 'r.email_norm collate private.by_name', 'text', false, false),
  ('contacts', 'email', 2, 'r.created_at', 'timestamptz', true, true),
  ('contacts', 'company', 1, '(select o.name from public.companies o where o.brand_id = $1 and o.id = r.company_id) collate private.by_name',
    'text', false, false),
  ('contacts', 'company', 2, 'r.created_at', 'timestamptz', true, true),
  ('companies', 'newest', 1, 'r.created_at', 'timestamptz', true, true),
  ('companies', 'name', 1, 'r.name collate private.by_name', 'text', false, true),
  ('companies', 'name', 2, 'r.created_at', 'timestamptz', true, true),
  ('tasks', 'newest', 1, 'r.created_at', 'timestamptz', true, true),
  ('tasks', 'due', 1, 'r.due_at', 'timestamptz', false, false),
  ('tasks', 'completed', 1, 'r.completed_at', 'timestamptz', true, true),
  ('deal_stages', 'position', 1, 'r.position', 'integer', false, true);

insert into private.list_searches (table_name, condition) values
  ('deals', 'lower(r.name) like $2 or r.company_id = any ($3) or r.contact_id = any ($4)'),
  ('contacts', 'lower((coalesce(r.first_name, '''') || '' '' || coalesce(r.last_name, '''') || '' '' || coalesce(r.email, '''')) collate "und-x-icu") like $2
    or r.company_id = any ($3)'),
  ('companies', 'lower((r.name || '' '' || coalesce(r.domain, '''') || '' '' || coalesce(r.website, '''')) collate "und-x-icu") like $2'),
  ('tasks', 'lower(r.title) like $2');

-- A condition's value as SQL of that type: a text, number, boolean, or {"now": seconds}, a moment relative to now.
create function private.query_value(p_value jsonb, p_type text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if jsonb_typeof(p_value) = 'object' and jsonb_typeof(p_value -> 'now') = 'number' then
    return format('(now() + %L::interval)', (p_value ->> 'now') || ' seconds');
  elsif jsonb_typeof(p_value) in ('object', 'array') then
    raise exception 'A value of p_queries is a text, a number, true, false, null or {"now": seconds}.' using errcode = '22023';
  end if;
  return format('%L::%s', p_value #>> '{}', p_type);
end
$$;

-- The condition of one column: a value, a list of values, or an object of gt, gte, lt, lte and "not": null.
create function private.query_condition(p_column text, p_type text, p_condition jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_operators constant jsonb := '{"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}';
  v_parts text[] := '{}';
  v_key text;
  v_value jsonb;
begin
  case jsonb_typeof(p_condition)
    when 'null' then
      return format('r.%I is null', p_column);
    when 'array' then
      if jsonb_array_length(p_condition) > 1000 then
        raise exception 'A list of values in p_queries holds at most 1000.' using errcode = '22023';
      end if;
      return format('r.%I = any (%L::%s[])', p_column, array(select jsonb_array_elements_text(p_condition))::text, p_type);
    when 'object' then
      for v_key, v_value in select * from jsonb_each(p_condition) loop
        if v_key = 'not' and v_value = 'null' then
          v_parts := v_parts || format('r.%I is not null', p_column);
        elsif v_operators ? v_key then
          v_parts := v_parts || format('r.%I %s %s', p_column, v_operators ->> v_key, private.query_value(v_value, p_type));
        else
          raise exception 'A condition of p_queries knows gt, gte, lt, lte and "not": null.' using errcode = '22023';
        end if;
      end loop;
      return coalesce(array_to_string(v_parts, ' and '), 'true');
    else
      return format('r.%I = %s', p_column, private.query_value(p_condition, p_type));
  end case;
end
$$;

-- `where` and `search` of a query as SQL over a row called r; $1 to $4 as in private.list_searches.
create function private.query_filter(p_table text, p_query jsonb) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_parts text[] := array['r.brand_id = $1'];
  v_where jsonb := coalesce(p_query -> 'where', '{}');
  v_key text;
  v_condition jsonb;
  v_type text;
  v_search text;
begin
  if jsonb_typeof(v_where) <> 'object' or (select count(*) from jsonb_object_keys(v_where)) > 20 then
    raise exception 'The "where" of a query is an object of at most 20 columns.' using errcode = '22023';
  end if;
  for v_key, v_condition in select * from jsonb_each(v_where) loop
    select format_type(a.atttypid, null) into v_type
    from pg_catalog.pg_attribute a join private.synced_tables s on s.name = p_table
    where a.attrelid = format('public.%I', p_table)::regclass and a.attname = v_key and a.attnum > 0 and not a.attisdropped
      and a.attname <> all (s.kept_back);
    if v_type is null then
      raise exception 'The table % has no column %.', p_table, v_key using errcode = '42703';
    end if;
    v_parts := v_parts || private.query_condition(v_key, v_type, v_condition);
  end loop;
  if coalesce(p_query ->> 'search', '') <> '' then
    select l.condition into v_search from private.list_searches l where l.table_name = p_table;
    if v_search is null then
      raise exception 'The table % cannot be searched.', p_table using errcode = '22023';
    end if;
    v_parts := v_parts || format('(%s)', v_search);
  end if;
  return array_to_string(v_parts, ' and ');
end
$$;

-- What comes after the row with these key values (the last is its id) in an order, as SQL. Empty values come last.
create function private.query_after(p_keys private.list_orders[], p_after jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_alternatives text[] := '{}';
  v_equal text[] := '{}';
  v_first text := 'true';
  v_key private.list_orders;
  v_value text;
begin
  if jsonb_typeof(p_after) <> 'array' or jsonb_array_length(p_after) <> cardinality(p_keys) + 1 then
    raise exception 'The "after" of a query is the "end" of the page before.' using errcode = '22023';
  end if;
  for i in 1 .. cardinality(p_keys) loop
    v_key := p_keys[i];
    if p_after -> (i - 1) = 'null' then
      v_equal := v_equal || format('%s is null', v_key.expression);
    else
      v_value := format('%L::%s', p_after ->> (i - 1), v_key.type);
      v_alternatives := v_alternatives || array_to_string(
        v_equal || format('(%s %s %s%s)', v_key.expression, case when v_key.descending then '<' else '>' end, v_value,
          case when v_key.is_required then '' else format(' or %s is null', v_key.expression) end), ' and ');
      v_equal := v_equal || format('%s = %s', v_key.expression, v_value);
      if i = 1 and v_key.is_required then
        -- The same said again for the index.
        v_first := format('%s %s %s', v_key.expression, case when v_key.descending then '<=' else '>=' end, v_value);
      end if;
    end if;
  end loop;
  v_alternatives := v_alternatives || array_to_string(v_equal || format('r.id > %L::uuid', p_after ->> cardinality(p_keys)), ' and ');
  return format('%s and (%s)', v_first, array_to_string(v_alternatives, ' or '));
end
$$;

-- One page of a query: its rows as far as an answer holds them, the key values of the last one in `end`, and the bytes of all.
create function private.query_page(
  p_table text, p_query jsonb, p_filter text, p_brand_id uuid, p_like text, p_companies uuid[], p_contacts uuid[],
  out rows jsonb, out "end" jsonb, out bytes bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_order text := coalesce(p_query ->> 'order', 'newest');
  v_keys private.list_orders[] := array(
    select l from private.list_orders l where l.table_name = p_table and l.order_name = v_order order by l.place
  );
  v_kept_back text[] := (select s.kept_back from private.synced_tables s where s.name = p_table);
  v_after text := 'true';
  v_limit integer := private.page_size((p_query ->> 'limit')::integer);
  v_skip integer := greatest(coalesce((p_query ->> 'skip')::integer, 0), 0);
  v_key_list text;
  v_order_list text;
  v_found jsonb;
begin
  if cardinality(v_keys) = 0 then
    raise exception 'The table % has no order %.', p_table, v_order using errcode = '22023';
  end if;
  if jsonb_typeof(p_query -> 'after') is distinct from 'null' and p_query ? 'after' then
    v_after := private.query_after(v_keys, p_query -> 'after');
  end if;
  select string_agg(k.expression || ' as k' || k.place, ', ' order by k.place),
    string_agg('p.k' || k.place || case when k.descending then ' desc' else '' end || case when k.descending and not k.is_required then ' nulls last' else '' end, ', ' order by k.place)
  into v_key_list, v_order_list from unnest(v_keys) k;
  -- The page is cut first, then its rows become JSON.
  execute format(
    'with keyed as (
       select r.id, %1$s from public.%2$I r where %3$s and (%4$s)
     ),
     page as materialized (
       select p.*, row_number() over (order by %5$s, p.id) as place
       from (select * from keyed p order by %5$s, p.id limit %6$s offset %7$s) p
     )
     select (
         select jsonb_build_array(coalesce(jsonb_agg(s.data order by s.place) filter (where s.bytes <= $6), ''[]''), max(s.bytes))
         from (
           select d.place, d.data, sum(octet_length(d.data::text)) over (order by d.place rows unbounded preceding) as bytes
           from (
             select p.place, to_jsonb(r) - $5 as data from page p join public.%2$I r on r.brand_id = $1 and r.id = p.id offset 0
           ) d
         ) s
       ),
       (select jsonb_build_array(%8$s, p.id) from page p order by p.place desc limit 1)',
    v_key_list, p_table, p_filter, v_after, v_order_list, v_limit, v_skip,
    (select string_agg('p.k' || k.place, ', ' order by k.place) from unnest(v_keys) k))
  into v_found, "end" using p_brand_id, p_like, p_companies, p_contacts, v_kept_back, private.answer_bytes();
  rows := v_found -> 0;
  bytes := coalesce((v_found ->> 1)::bigint, 0);
end
$$;

-- How many rows a query has; by currency, with their sums, where the table has amounts.
create function private.query_figures(
  p_table text, p_filter text, p_brand_id uuid, p_like text, p_companies uuid[], p_contacts uuid[], p_sums boolean
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_figures jsonb;
  v_count bigint;
begin
  if not p_sums then
    execute format('select count(*) from public.%I r where %s', p_table, p_filter)
    into v_count using p_brand_id, p_like, p_companies, p_contacts;
    return jsonb_build_object('total', v_count);
  end if;
  execute format(
    'select jsonb_build_object(''total'', coalesce(sum(g.count), 0), ''sums'', coalesce(jsonb_agg(g order by g.currency), ''[]''))
     from (
       select r.amount_currency as currency, count(*) as count, sum(r.amount) as amount from public.%I r where %s group by r.amount_currency
     ) g', p_table, p_filter)
  into v_figures using p_brand_id, p_like, p_companies, p_contacts;
  return v_figures;
end
$$;

-- The rows of other tables that these rows name by their foreign keys, by table.
create function private.named_rows(p_brand_id uuid, p_rows jsonb, out named jsonb, out bytes bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_link record;
  v_ids uuid[];
  v_rows jsonb;
  v_bytes bigint;
begin
  named := '{}';
  bytes := 0;
  for v_link in
    select t.name as target, s.kept_back, jsonb_object_agg(f.relname, f.columns) as sources
    from (
      select c.relname, k.confrelid, jsonb_agg(a.attname) as columns
      from pg_catalog.pg_constraint k
      join pg_catalog.pg_class c on c.oid = k.conrelid
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
      where k.contype = 'f' and cardinality(k.conkey) = 2 and p_rows ? c.relname
        and k.conrelid = format('public.%I', c.relname)::regclass
      group by c.relname, k.confrelid
    ) f
    join private.synced_tables s on format('public.%I', s.name)::regclass = f.confrelid
    cross join lateral (select s.name) t
    where s.name not in ('brands', 'memberships', 'deal_stages')
    group by t.name, s.kept_back
  loop
    v_ids := array(
      select distinct (r.data ->> c.name)::uuid
      from jsonb_each(v_link.sources) s
      cross join jsonb_array_elements(p_rows -> s.key) r (data)
      cross join jsonb_array_elements_text(s.value) c (name)
      where r.data ->> c.name is not null
    );
    continue when cardinality(v_ids) = 0;
    execute format(
      'select coalesce(jsonb_agg(s.data) filter (where s.bytes <= $4), ''[]''), coalesce(max(s.bytes), 0)
       from (
         select d.data, sum(octet_length(d.data::text)) over (order by d.id rows unbounded preceding) as bytes
         from (select r.id, to_jsonb(r) - $3 as data from public.%I r where r.brand_id = $1 and r.id = any ($2) offset 0) d
       ) s', v_link.target)
    into v_rows, v_bytes using p_brand_id, v_ids, v_link.kept_back, private.answer_bytes();
    named := named || jsonb_build_object(v_link.target, v_rows);
    bytes := bytes + v_bytes;
  end loop;
end
$$;

-- Answers up to 50 queries of a brand from one snapshot. A query is
--   { table, where, search, order, after, skip, limit, rows, count, sums }
-- where: columns with a value, a list of values, or { gt, gte, lt, lte, "not": null }; { "now": seconds } is relative to now.
-- order: a name of private.list_orders. after: the `end` of another page of the same query: what follows it. skip: and then so
-- many rows on. rows, count, sums: what to answer (rows: unless false).
-- The answer: { answers: [{ rows, end, total, sums: [{ currency, count, amount }] }], named: { table: rows } }, the answers in
-- the order of the queries, and in `named` the rows of other tables that the rows name.
create function public.read_queries(p_brand_id uuid, p_queries jsonb) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_query jsonb;
  v_answer jsonb;
  v_answers jsonb[] := '{}';
  v_rows jsonb := '{}';
  v_page record;
  v_table text;
  v_filter text;
  v_like text;
  v_companies uuid[];
  v_contacts uuid[];
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
    v_filter := private.query_filter(v_table, v_query);
    v_like := private.like_pattern(coalesce(v_query ->> 'search', ''));
    v_companies := null;
    v_contacts := null;
    if coalesce(v_query ->> 'search', '') <> '' then
      if v_table in ('deals', 'contacts') then
        v_companies := array(select o.id from public.companies o where o.brand_id = p_brand_id and lower(o.name) like v_like);
      end if;
      if v_table = 'deals' then
        -- The first condition is for the index, the second leaves the e-mail out again.
        v_contacts := array(
          select c.id from public.contacts c
          where c.brand_id = p_brand_id
            and lower((coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '') || ' ' || coalesce(c.email, '')) collate "und-x-icu") like v_like
            and lower((coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) collate "und-x-icu") like v_like
        );
      end if;
    end if;
    v_answer := '{}';
    if coalesce((v_query ->> 'rows')::boolean, true) then
      select * into v_page
      from private.query_page(v_table, v_query, v_filter, p_brand_id, v_like, v_companies, v_contacts);
      v_bytes := v_bytes + v_page.bytes;
      perform private.assert_answer_size(v_bytes);
      v_answer := jsonb_build_object('rows', v_page.rows, 'end', v_page."end");
      v_rows := v_rows || jsonb_build_object(v_table, coalesce(v_rows -> v_table, '[]') || v_page.rows);
    end if;
    if coalesce((v_query ->> 'sums')::boolean, false) or coalesce((v_query ->> 'count')::boolean, false) then
      if coalesce((v_query ->> 'sums')::boolean, false) and v_table <> 'deals' then
        raise exception 'Only deals have sums.' using errcode = '22023';
      end if;
      v_answer := v_answer || private.query_figures(v_table, v_filter, p_brand_id, v_like, v_companies, v_contacts, coalesce((v_query ->> 'sums')::boolean, false));
    end if;
    v_answers := v_answers || v_answer;
  end loop;
  select * into v_named from private.named_rows(p_brand_id, v_rows);
  perform private.assert_answer_size(v_bytes + v_named.bytes);
  return json_build_object('answers', array_to_json(v_answers), 'named', v_named.named);
end
$$;

revoke execute on all functions in schema private from public;
revoke all on private.list_orders, private.list_searches from public, anon, authenticated, service_role;
revoke execute on function public.read_queries(uuid, jsonb) from public, anon, authenticated;
grant execute on function public.read_queries(uuid, jsonb) to authenticated, service_role;

-- The first page of a list reads as much of a brand of a million contacts as of one of a thousand: each order has an index, a page
-- begins where the one before ended, counts of all records are kept (private.kept_figures), and others are counted up to `most`.

-- Each of these replaces an index of its first columns.
create index contacts_of_company_idx on public.contacts (brand_id, company_id, created_at desc, id);
drop index public.contacts_by_company_idx;
create index contacts_of_owner_idx on public.contacts (brand_id, owner_id, created_at desc, id);
drop index public.contacts_by_owner_idx;
create index contacts_in_email_order_idx on public.contacts (brand_id, email_norm collate private.by_name, created_at desc, id);

-- A table o that the first key of an order comes from, joined to r, and the condition of r under which that key is empty.
alter table private.list_orders add column joined text, add column empty text;
update private.list_orders
set expression = 'o.name collate private.by_name', joined = 'left join public.companies o on o.brand_id = $1 and o.id = r.company_id',
  empty = 'r.company_id is null'
where (table_name, order_name, place) = ('contacts', 'company', 1);

drop function private.query_after(private.list_orders[], jsonb);

-- What comes after the row with these key values (the last is its id) in an order, as SQL: one condition for each stretch of the
-- index, in their order. After ('Anna', 'Vogt', 7): Anna Vogt with a higher id, Anna with a later last name, Anna without one, later first names,
-- none. Empty values come last. Without p_after the whole order: one stretch, or two where its first key is joined.
create function private.query_stretches(p_keys private.list_orders[], p_after jsonb) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  v_stretches text[] := '{}';
  v_equal text[] := '{}';
  v_here text[];
  v_key private.list_orders;
  v_empty text;
  v_value text;
begin
  if p_after is null or p_after = 'null' then
    return case when p_keys[1].joined is null then array['true']
      else array[p_keys[1].expression || ' is not null', p_keys[1].empty] end;
  elsif jsonb_typeof(p_after) <> 'array' or jsonb_array_length(p_after) <> cardinality(p_keys) + 1 then
    raise exception 'The "after" of a query is the "end" of the page before.' using errcode = '22023';
  end if;
  for i in 1 .. cardinality(p_keys) loop
    v_key := p_keys[i];
    v_empty := coalesce(v_key.empty, v_key.expression || ' is null');
    if p_after -> (i - 1) = 'null' then
      v_equal := v_equal || v_empty;
    else
      v_value := format('%L::%s', p_after ->> (i - 1), v_key.type);
      v_here := array[array_to_string(v_equal || format('%s %s %s', v_key.expression, case when v_key.descending then '<' else '>' end, v_value), ' and ')];
      if not v_key.is_required then
        v_here := v_here || array_to_string(v_equal || v_empty, ' and ');
      end if;
      v_stretches := v_here || v_stretches;
      v_equal := v_equal || format('%s = %s', v_key.expression, v_value);
    end if;
  end loop;
  return array_to_string(v_equal || format('r.id > %L::uuid', p_after ->> cardinality(p_keys)), ' and ') || v_stretches;
end
$$;

-- One page of a query: its rows as far as an answer holds them, the key values of the last one in `end`, and the bytes of all.
create or replace function private.query_page(
  p_table text, p_query jsonb, p_filter text, p_brand_id uuid,
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
  v_limit integer := private.page_size((p_query ->> 'limit')::integer);
  v_skip integer := greatest(coalesce((p_query ->> 'skip')::integer, 0), 0);
  v_key_list text;
  v_order_list text;
  v_stretches text;
  v_found jsonb;
begin
  if cardinality(v_keys) = 0 then
    raise exception 'The table % has no order %.', p_table, v_order using errcode = '22023';
  end if;
  select string_agg(k.expression || ' as k' || k.place, ', ' order by k.place),
    string_agg('k' || k.place || case when k.descending then ' desc' else '' end || case when k.descending and not k.is_required then ' nulls last' else '' end, ', ' order by k.place)
  into v_key_list, v_order_list from unnest(v_keys) k;
  select string_agg(
    format('(select r.id, %s, %s as stretch from public.%I r %s where %s and (%s) order by %s, id limit %s)',
      v_key_list, s.place, p_table, v_keys[1].joined, p_filter, s.condition, v_order_list, v_limit::bigint + v_skip),
    ' union all ' order by s.place)
  into v_stretches from unnest(private.query_stretches(v_keys, p_query -> 'after')) with ordinality s (condition, place);
  -- The page is cut first, then its rows become JSON.
  execute format(
    'with page as materialized (
       select p.*, row_number() over (order by p.stretch, %1$s, p.id) as place
       from (select * from (%2$s) p order by p.stretch, %1$s, p.id limit %3$s offset %4$s) p
     )
     select (
         select jsonb_build_array(coalesce(jsonb_agg(s.data order by s.place) filter (where s.bytes <= $3), ''[]''), max(s.bytes))
         from (
           select d.place, d.data, sum(octet_length(d.data::text)) over (order by d.place rows unbounded preceding) as bytes
           from (
             select p.place, to_jsonb(r) - $2 as data from page p join public.%5$I r on r.brand_id = $1 and r.id = p.id offset 0
           ) d
         ) s
       ),
       (select jsonb_build_array(%6$s, p.id) from page p order by p.place desc limit 1)',
    v_order_list, v_stretches, v_limit, v_skip, p_table,
    (select string_agg('p.k' || k.place, ', ' order by k.place) from unnest(v_keys) k))
  into v_found, "end" using p_brand_id, v_kept_back, private.answer_bytes();
  rows := v_found -> 0;
  bytes := coalesce((v_found ->> 1)::bigint, 0);
end
$$;

-- Parts of words are compared byte by byte: with another collation that takes four times as long.
alter table private.contacts_words alter column words type text collate "C";
alter table private.companies_words alter column words type text collate "C";
alter table private.deals_words alter column words type text collate "C";

-- One condition for each of the first eight words of a typed text, on the column w.words. Phone numbers are found by their
-- digits, with or without the zeros before them, and international ones also without the country code. Words of one or two
-- letters have no trigram: for them no index is of use, and they are looked for in the fastest way.
create or replace function private.search_conditions(p_search text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
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
      v_conditions := v_conditions || (select '(' || string_agg(distinct format('strpos(w.words, %L) > 0', f), ' or ') || ')' from unnest(v_forms) f);
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

-- The first ids that a search finds, by an index. p_budget: of the first so many records only.
create function private.first_hits(p_source text, p_conditions text, p_brand_id uuid, p_limit integer, p_budget integer) returns uuid[]
language plpgsql stable security definer set search_path = '' set enable_seqscan = off
as $$
declare
  v_ids uuid[];
begin
  execute format('select array(select w.id from (%s%s) w where %s limit %s)',
    p_source, ' order by id limit ' || p_budget, p_conditions, p_limit)
  into v_ids using p_brand_id;
  return v_ids;
end
$$;

-- The ids that a search finds, at most so many.
create function private.search_ids(p_source text, p_conditions text, p_brand_id uuid, p_limit integer) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  execute format('select array(select w.id from (%s) w where %s limit %s)', p_source, p_conditions, p_limit)
  into v_ids using p_brand_id;
  return v_ids;
end
$$;

-- What a search finds, as SQL over a row called r: for a page, and for figures. Few hits are named by their ids. Where there are many, each row is looked at: a
-- page is full soon. Where all are counted they are compared at once (query_figures allows no nested loop). Otherwise the planner, which after
-- an import may know nothing of the new rows, could look through all words once for every row. Without a trigram the first 20,000 records
-- show whether there are many, before all are read.
create or replace function private.search_filters(p_table text, p_search text, p_brand_id uuid, out page text, out figures text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_few constant integer := 1000;
  v_budget constant integer := 20000;
  v_source text := (select l.source from private.list_searches l where l.table_name = p_table);
  v_conditions text := private.search_conditions(p_search);
  v_has_trigram boolean := v_conditions ~ ' like ';
  v_ids uuid[];
begin
  if p_search = '' then
    return;
  end if;
  if v_source is null then
    raise exception 'The table % cannot be searched.', p_table using errcode = '22023';
  end if;
  v_ids := private.first_hits(v_source, v_conditions, p_brand_id, v_few + 1, case when not v_has_trigram then v_budget end);
  if not v_has_trigram and cardinality(v_ids) <= v_few then
    v_ids := private.search_ids(v_source, v_conditions, p_brand_id, v_few + 1);
  end if;
  if cardinality(v_ids) <= v_few then
    page := format('r.id = any (%L::uuid[])', v_ids);
    figures := page;
  else
    page := format('(select %s from (%s) w where w.id = r.id)', v_conditions, v_source);
    figures := format('r.id in (select w.id from (%s) w where %s)', v_source, v_conditions);
  end if;
end
$$;

-- Whether the figures of a query are the sums of kept ones.
create function private.is_kept(p_table text, p_query jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select coalesce(p_query ->> 'search', '') = ''
    and array(select jsonb_object_keys(coalesce(p_query -> 'where', '{}'))) <@ private.kept_columns(p_table)
$$;

-- The answer of query_figures from private.kept_figures, whose columns a filter of them names as those of the table.
create function private.kept_query_figures(p_table text, p_filter text, p_brand_id uuid, p_sums boolean) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_figures jsonb;
begin
  execute format(
    'select jsonb_build_object(''total'', coalesce(sum(g.count), 0), ''sums'', coalesce(jsonb_agg(g order by g.currency), ''[]''))
     from (
       select r.currency, sum(r.count) as count, sum(r.amount) as amount
       from private.kept_figures r where %s and r.table_name = $2 group by r.currency having sum(r.count) <> 0
     ) g', p_filter)
  into v_figures using p_brand_id, p_table;
  return case when p_sums then v_figures else v_figures - 'sums' end;
end
$$;

-- How many rows a query has, counted no further than p_most: { total, more }.
create function private.query_count(p_table text, p_filter text, p_brand_id uuid, p_most integer) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_count bigint;
begin
  execute format('select count(*) from (select from public.%I r where %s limit %s) r', p_table, p_filter, p_most::bigint + 1)
  into v_count using p_brand_id;
  return jsonb_build_object('total', least(v_count, p_most), 'more', v_count > p_most);
end
$$;

-- The figures of a query as cheaply as they can be had. p_found: the figures of search_filters.
create function private.figures_of(p_table text, p_query jsonb, p_found text, p_brand_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_sums boolean := coalesce((p_query ->> 'sums')::boolean, false);
  v_most integer := (p_query ->> 'most')::integer;
  v_filter text;
begin
  if v_sums and p_table <> 'deals' then
    raise exception 'Only deals have sums.' using errcode = '22023';
  end if;
  v_filter := private.query_filter(p_table, p_query, p_found);
  if private.is_kept(p_table, p_query) then
    return private.kept_query_figures(p_table, v_filter, p_brand_id, v_sums);
  elsif v_most is not null and not v_sums then
    -- More than 1,000 hits are known to be there.
    if v_most between 1 and 1000 and p_found like 'r.id in (%' and coalesce(p_query -> 'where', '{}') = '{}' then
      return jsonb_build_object('total', v_most, 'more', true);
    end if;
    return private.query_count(p_table, v_filter, p_brand_id, v_most);
  end if;
  return private.query_figures(p_table, v_filter, p_brand_id, v_sums);
end
$$;

-- The figures of deals for each stage that has some: what several columns of a board ask for is read once. p_filter: without a stage.
create function private.figures_by_stage(p_filter text, p_brand_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_nestloop = off
as $$
declare
  v_figures jsonb;
begin
  execute format(
    'select coalesce(jsonb_object_agg(s.stage_id, jsonb_build_object(''total'', s.total, ''sums'', s.sums)), ''{}'')
     from (
       select g.stage_id, sum(g.count) as total, jsonb_agg(to_jsonb(g) - ''stage_id'' order by g.currency) as sums
       from (
         select r.stage_id, r.amount_currency as currency, count(*) as count, sum(r.amount) as amount
         from public.deals r where %s group by r.stage_id, r.amount_currency
       ) g
       group by g.stage_id
     ) s', p_filter)
  into v_figures using p_brand_id;
  return v_figures;
end
$$;

-- Answers up to 50 queries of a brand from one snapshot. A query is
--   { table, where, search, order, after, skip, limit, rows, count, most, sums }
-- where: columns with a value, a list of values, or { gt, gte, lt, lte, "not": null }; { "now": seconds } is relative to now.
-- order: a name of private.list_orders. after: the `end` of another page of the same query: what follows it. skip: and then so
-- many rows on. rows, count, sums: what to answer (rows: unless false). most: count no further than this, and say whether there are `more`.
-- The answer: { answers: [{ rows, end, total, more, sums: [{ currency, count, amount }] }], named: { table: rows } }, the answers in
-- the order of the queries, and in `named` the rows of other tables that the rows name.
create or replace function public.read_queries(p_brand_id uuid, p_queries jsonb) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_query jsonb;
  v_answer jsonb;
  v_answers jsonb[] := '{}';
  v_rows jsonb := '{}';
  v_page record;
  v_table text;
  -- What `search` finds, and the table and text that it is of.
  v_search record;
  v_searched text;
  v_text text;
  -- The figures of the columns of a board, and what they are of.
  v_stages jsonb;
  v_board jsonb;
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
    -- The columns of a board ask for the same text.
    if (v_table, coalesce(v_query ->> 'search', '')) is distinct from (v_searched, v_text) then
      v_searched := v_table;
      v_text := coalesce(v_query ->> 'search', '');
      select * into v_search from private.search_filters(v_table, v_text, p_brand_id);
    end if;
    v_answer := '{}';
    if coalesce((v_query ->> 'rows')::boolean, true) then
      select * into v_page
      from private.query_page(v_table, v_query, private.query_filter(v_table, v_query, v_search.page), p_brand_id);
      v_bytes := v_bytes + v_page.bytes;
      perform private.assert_answer_size(v_bytes);
      v_answer := jsonb_build_object('rows', v_page.rows, 'end', v_page."end");
      v_rows := v_rows || jsonb_build_object(v_table, coalesce(v_rows -> v_table, '[]') || v_page.rows);
    end if;
    if coalesce((v_query ->> 'sums')::boolean, false) or coalesce((v_query ->> 'count')::boolean, false) then
      if (v_query ->> 'sums')::boolean and v_table = 'deals' and jsonb_typeof(v_query #> '{where,stage_id}') = 'string'
        and jsonb_array_length(p_queries) > 1 and not private.is_kept(v_table, v_query) then
        if v_board is distinct from jsonb_build_array(v_text, (v_query -> 'where') - 'stage_id') then
          v_board := jsonb_build_array(v_text, (v_query -> 'where') - 'stage_id');
          v_stages := private.figures_by_stage(private.query_filter(v_table, v_query #- '{where,stage_id}', v_search.figures), p_brand_id);
        end if;
        v_answer := v_answer || coalesce(v_stages -> (v_query #>> '{where,stage_id}'), '{"total": 0, "sums": []}');
      else
        v_answer := v_answer || private.figures_of(v_table, v_query, v_search.figures, p_brand_id);
      end if;
    end if;
    v_answers := v_answers || v_answer;
  end loop;
  select * into v_named from private.named_rows(p_brand_id, v_rows);
  perform private.assert_answer_size(v_bytes + v_named.bytes);
  return json_build_object('answers', array_to_json(v_answers), 'named', v_named.named);
end
$$;

-- One page of a search, and how many rows it has in all: { rows, total }.
create or replace function private.search_page(
  p_table text, p_brand_id uuid, p_query text, p_limit integer, p_offset integer, p_owner_id uuid, p_sort text, p_sorts text[]
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_query jsonb := jsonb_build_object('search', p_query, 'order', p_sort, 'limit', p_limit, 'skip', p_offset)
    || case when p_owner_id is null then '{}' else jsonb_build_object('where', jsonb_build_object('owner_id', p_owner_id)) end;
  v_search record;
  v_page record;
begin
  perform private.assert_sort(p_sort, p_sorts);
  select * into v_search from private.search_filters(p_table, coalesce(p_query, ''), p_brand_id);
  select * into v_page
  from private.query_page(p_table, v_query, private.query_filter(p_table, v_query, v_search.page), p_brand_id);
  perform private.assert_answer_size(v_page.bytes);
  return jsonb_build_object('rows', v_page.rows) || private.figures_of(p_table, v_query, v_search.figures, p_brand_id);
end
$$;

revoke execute on all functions in schema private from public;

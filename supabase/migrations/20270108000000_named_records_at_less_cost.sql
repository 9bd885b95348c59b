-- Reading the records that the rows of a page name took a third of the time of a board: the lists of their ids were merged again for each
-- column, and in a small brand PostgreSQL 18 read the index from end to end. Now the ids are merged once, and each record is read by its own id.

-- Returns the records with the ids that p_names lists, by table, and the bytes of all. Each of p_names: { table: [id] }. If the records of a
-- table have more bytes than private.answer_bytes(), some of them are missing.
create function private.rows_with_ids(p_brand_id uuid, p_names jsonb[], out named json, out bytes bigint)
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
    select n.key, array_agg(distinct i.id::uuid)
    from unnest(p_names) p (names) cross join jsonb_each(p.names) n cross join jsonb_array_elements_text(n.value) i (id)
    group by n.key
  loop
    -- `offset 0`: each record is read by its id, and its JSON is made once.
    execute format(
      'select coalesce(json_agg(s.data) filter (where s.bytes <= $3), ''[]''), coalesce(max(s.bytes), 0)
       from (
         select x.data, sum(pg_column_size(x.data)) over (order by i.place rows unbounded preceding) as bytes
         from unnest($2) with ordinality i (id, place)
         cross join lateral (
           select row_to_json(r) as data from (select %s from public.%I r where r.brand_id = $1 and r.id = i.id) r offset 0
         ) x
       ) s', private.listed_columns(v_table), v_table)
    into v_rows, v_bytes using p_brand_id, v_ids, private.answer_bytes();
    v_tables := v_tables || v_table;
    v_all := v_all || v_rows;
    bytes := bytes + v_bytes;
  end loop;
  named := (select coalesce(json_object_agg(n.name, n.rows), '{}') from unnest(v_tables, v_all) n (name, rows));
end
$$;

-- Returns the records of other tables that these rows name, by table, and the bytes of all. p_rows: { table: rows }.
create or replace function private.named_rows(p_brand_id uuid, p_rows jsonb, out named jsonb, out bytes bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_names jsonb[] := '{}';
  v_table text;
  v_found record;
begin
  for v_table in select jsonb_object_keys(p_rows) loop
    v_names := v_names || (
      select coalesce(jsonb_object_agg(l.key, (
        select coalesce(jsonb_agg(distinct r.data ->> c.name) filter (where r.data ->> c.name is not null), '[]')
        from jsonb_array_elements(p_rows -> v_table) r (data) cross join jsonb_array_elements_text(l.value) c (name)
      )), '{}')
      from jsonb_each(private.row_links(v_table)) l
    );
  end loop;
  v_found := private.rows_with_ids(p_brand_id, v_names);
  named := v_found.named::jsonb;
  bytes := v_found.bytes;
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
  -- The ids that the rows of each page name, by table.
  v_names jsonb[] := '{}';
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
      v_names := v_names || coalesce((v_column).names, '{}');
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
        v_names := v_names || v_page.names;
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
  v_named := private.rows_with_ids(p_brand_id, v_names);
  perform private.assert_answer_size(v_bytes + v_named.bytes);
  return json_build_object('answers', array_to_json(v_answers), 'named', v_named.named);
end
$$;

drop function private.rows_of_names(uuid, jsonb);
drop function private.with_names(jsonb, jsonb);

revoke execute on all functions in schema private from public;

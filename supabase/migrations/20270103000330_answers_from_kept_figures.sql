-- The functions read_queries, search_page and search_filters now use the pages, counts and searches of the three previous migrations.

-- ANSWERS

-- Reads the first pages of the columns of a board: of the stages p_stages in the brand p_brand_id. p_query: the query of any of these
-- columns. p_filter: the condition of that query without its stage and its search. `columns` has the pages. Returns p_search, the search of
-- the board, with the results that are known now.
create function private.found_columns(
  inout p_search private.search, p_stages uuid[], p_query jsonb, p_filter text, p_brand_id uuid, out columns private.column_page[]
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit constant integer := private.page_size((p_query ->> 'limit')::integer);
  v_budget constant integer := 3 * private.first_look() / 2;
  v_kept constant text := private.kept_source('deals', p_query);
  -- The number of deals by stage: of those that meet the filter if the kept figures have that number, else of all deals.
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
  -- If many deals meet the filter, the newest deals of each stage are probably enough to fill its page.
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

-- Returns the moment m if `created_at` later than m (a bound that private.bound_moment accepts) is the only condition in `where` of the query
-- p_query. Else returns null.
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

-- Returns the figures of the query p_query of the brand p_brand_id: from the kept figures if these have them, else counted. Counts up to
-- `most` only without a search and sums. p_search: the search of the query; found_page returns the figures of a search with `most`.
-- p_filter: the condition of the query without its search.
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

-- Returns the answer to one query. p_has_rows: true if the query requests rows. p_rows and p_end: the rows of the page and its end.
-- p_figures: the figures of the query; null if it requests none.
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
-- search: the typed text of a search. order: an order of private.list_orders; 'newest' by default. after: the `end` of a page of the same
-- query; the answer has the rows that follow it. skip: the number of rows to skip after that. limit: the number of rows; 50 by default.
-- rows: false to get no rows. count: true to get the `total`. sums: true to get the sums of deals. most: the number up to which rows are
-- counted; the answer then says with `more` whether there are more rows. `total` can be less than `most` although there are more rows, if
-- counting further would take long.
-- Returns { answers: [{ rows, end, total, more, sums: [{ currency, count, amount }] }], named: { table: rows } }. The answers are in the
-- order of the queries. `named` has the rows of other tables that the rows refer to.
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
  -- The search of the current query.
  v_search private.search;
  -- v_is_column: true if the current query is read as one of the columns of a board, which differ only in their stage. The variables below
  -- hold the common part of their queries, their first pages, the page of the current column, and the figures by stage.
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
    -- Columns with more than 5000 rows in all are read one by one, so that the size of the answer is checked after each of them.
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
        -- A first page that is not full has all rows of the query.
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
    -- An incomplete count can be lower than the number of rows on the first page. Then that number is the total.
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

-- Returns true if a page with p_count rows has all rows of the query p_query.
create function private.is_whole(p_query jsonb, p_count bigint) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(p_query -> 'after', 'null') = 'null' and coalesce((p_query ->> 'skip')::integer, 0) <= 0
    and p_count < private.page_size((p_query ->> 'limit')::integer);
end
$$;

-- Returns the part of p_query that is the same in the queries of all columns of a board: all but the stage.
create function private.board_of(p_query jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return jsonb_build_array(p_query ->> 'table', coalesce(p_query ->> 'search', ''), (p_query -> 'where') - 'stage_id', p_query -> 'limit');
end
$$;

-- Returns true if p_query, a query of deals, requests the first page of one stage, newest first.
create function private.is_beginning(p_query jsonb) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(p_query -> 'after', 'null') = 'null' and coalesce((p_query ->> 'skip')::integer, 0) <= 0 and coalesce(p_query ->> 'order', 'newest') = 'newest'
    and jsonb_typeof(p_query #> '{where,stage_id}') = 'string';
end
$$;

-- Returns the SQL condition that the search for p_search in p_table of the brand p_brand_id demands of a row called r. `page` and `figures`
-- have the same condition. Both are null if p_search is ''. change_matching uses it.
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

-- Returns one page of a search and its exact number of rows: { rows, total }. p_table: the table. p_brand_id: the brand. p_query: the typed
-- text. p_limit: the number of rows. p_offset: the number of rows to skip. p_owner_id: the owner of the rows; null for all owners. p_sort:
-- the order, one of p_sorts.
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

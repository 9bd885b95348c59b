-- A search reads only as many records as its first page needs. If a sample shows that many records match, it examines the newest records,
-- or the first ones in the order of the list. If few records match, an index finds them, also for a single letter. Until now, a search in
-- the order of names read all records if its first match came late in that order: this took 4 s in a brand with a million records.

-- SEARCHES

drop function private.search_ids(text, text, uuid, integer);
drop function private.figures_of(text, jsonb, text, uuid);
drop function private.search_conditions(text);

-- Returns the SQL condition that a search demands of the column w.words: one part for each of the first eight words of the typed text
-- p_search. Returns 'true' if p_search has no words. A phone number is found by its digits, with or without leading zeros, and an
-- international one also without its country code. p_by_letters: true to find words of one or two letters by the index of letters, because
-- they are too short for a trigram. This is fast if few records have these letters. The index has only letters that are rare in most
-- languages, and letters of other scripts than the Latin one.
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
  -- Joins the parts of an international phone number, up to nine, to one word.
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

-- A search, and the results that are known so far.
create type private.search as (
  table_name text,
  text text,
  -- SQL. source: selects the rows of words of all records of the brand ($1). conditions: the condition on such a row, called w, that the
  -- search demands. by_index: the same condition in the form that an index can answer.
  source text,
  conditions text,
  by_index text,
  -- The number of newest records that were examined, the number of hits among them, and the number of all records of the brand.
  looked bigint,
  hits bigint,
  total bigint,
  -- The ids of all records that the search finds; null if they are not known yet.
  ids uuid[]
);

-- Starts a search for the typed text p_text in p_table of the brand p_brand_id: examines the newest records. If the brand has few records,
-- all ids are known afterwards. If p_text is '', `source` and the fields after it are null in the result.
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

-- Returns an estimate of how many records p_search finds, from the share of hits among the examined records.
create function private.expected_hits(p_search private.search) returns bigint
language sql immutable
as $$
  select (p_search).hits * (p_search).total / greatest((p_search).looked, 1)
$$;

-- Returns p_search with the ids of all records that it finds in the brand p_brand_id. If these are more than p_most, returns p_search
-- without ids. p_most null: no limit.
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

-- Returns ids of records that a search finds in the brand p_brand_id, by an index. p_source and p_conditions: as in private.search. p_limit:
-- the largest number of ids to return; null for all. p_budget: the number of records, in the order of their ids, that are examined; null
-- for all.
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

-- Finds the newest hits of p_search in the brand p_brand_id. p_after: the `end` of the page after which the hits follow; null for the first
-- page. `ids` has at most p_limit hits, and the function examines at most p_budget records. `is_all` is true if it is known that no other
-- hits follow.
create function private.newest_hits(
  p_search private.search, p_brand_id uuid, p_after jsonb, p_limit integer, p_budget integer, out ids uuid[], out is_all boolean
)
language plpgsql stable security definer set search_path = '' set enable_seqscan = off set enable_sort = off set max_parallel_workers_per_gather = 0
as $$
declare
  v_key constant private.list_orders := row(null, null, 1, 'r.created_at', 'timestamptz', true, true, null, null);
  -- The limit around the union stops reading as soon as it has enough rows.
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

-- Returns the exact figures of the query p_query with the search p_search, as query_figures returns them. p_filter: the condition of the
-- query without its search. p_brand_id: the brand. p_sums: true to also return the sums of the deals.
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

-- Returns the SQL condition that p_search demands of a row called r, for a statement that reads all hits. The text begins with ' and '. In
-- it, $3 is the list of ids of p_search, if they are known. Returns '' if there is nothing to search for.
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

-- Reads all hits of p_search in the brand p_brand_id and sorts them by p_keys, which are columns of the table of words. `ids` has the first
-- p_limit hits after p_after, the `end` of a page (null for the first page). `total` is the number of all hits.
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

-- Tries to fill a page of the search p_search from the first rows in the order of the query p_query. If the search finds many records,
-- these rows are enough. The first try examines twice as many rows as the page should need. The second try examines a number that is
-- estimated from the hits of the first. `page` is null if that would be too many rows. `is_all` is true if all rows were examined.
-- p_filter: the condition of the query without its search. p_brand_id: the brand. p_is_counted: true to examine so many rows that
-- the number of hits is worth showing. p_is_wide: true to allow a first try of many rows if the search finds many records.
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

-- Reads one page of the query p_query with the search p_search in the brand p_brand_id. `page` is like the result of query_page. `figures` is
-- { total, more } if the query has `count` and `most`, else null; on a later page it can also be null. p_filter: the condition of the query
-- without its search. Returns p_search with the results that are known now.
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
  -- True if the table of words is enough to find the hits and to sort them.
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
  -- In a brand that is not large, counts up to `most` if the figures above are incomplete.
  if (figures ->> 'more')::boolean and (figures ->> 'total')::integer < v_most and (p_search).total <= 10 * private.first_look() then
    figures := private.query_count(v_table, p_filter || private.search_filter(p_search), p_brand_id, v_most, (p_search).ids);
  end if;
end
$$;

revoke execute on all functions in schema private from public;

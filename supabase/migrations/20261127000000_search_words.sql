-- A search finds words in any order, each anywhere in what a record is searched by. Capitals and accents do not count: 'muller' and
-- 'mueller' find Müller. What a record is searched by stands in a table beside its own, so that other changes of the record
-- leave the index alone, and no answer carries it. The device searches alike: src/web/data/query/search-text.ts.

-- Small letters without accents. The argument is in small letters.
create function private.without_accents(p_text text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select regexp_replace(
    normalize(translate(replace(replace(replace(p_text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðıς', 'olddiσ'), nfd),
    '[\u0300-\u036f]', '', 'g')
$$;

-- Accents that some people write as a second letter: ü as ue.
create function private.spelled_out(p_text text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select replace(replace(replace(replace(replace(p_text, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')
$$;

-- The forms in which a text is found: without accents, and with them spelled out where that is another text.
create function private.folded_forms(p_text text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_lower text := lower(normalize(p_text, nfc) collate "und-x-icu");
  v_plain text;
  v_spelled text;
begin
  -- Most texts have no letter with an accent.
  if octet_length(v_lower) = length(v_lower) then
    return array[v_lower];
  end if;
  v_plain := private.without_accents(v_lower);
  v_spelled := private.without_accents(private.spelled_out(v_lower));
  return case when v_spelled = v_plain then array[v_plain] else array[v_plain, v_spelled] end;
end
$$;

-- One condition for each of the first eight words of a typed text, on the column w.words. Phone numbers are found by their
-- digits, with or without the zeros before them.
create function private.search_conditions(p_search text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_word text;
  v_forms text[];
  v_digits text;
  v_conditions text[] := '{}';
begin
  foreach v_word in array (regexp_split_to_array(p_search, '[ \t\n\r\u00a0\u3000]+'))[1:9] loop
    continue when v_word = '' or cardinality(v_conditions) = 8;
    v_forms := private.folded_forms(v_word);
    v_digits := ltrim(translate(v_word, '+()-/.', ''), '0');
    if v_digits ~ '^[0-9]{3,}$' then
      v_forms := v_forms || v_digits;
    end if;
    v_conditions := v_conditions || format('w.words like any (%L)', array(
      select distinct '%' || regexp_replace(f, '([%_\\])', '\\\1', 'g') || '%' from unnest(v_forms) f
    ));
  end loop;
  return coalesce(nullif(array_to_string(v_conditions, ' and '), ''), 'true');
end
$$;

-- WHAT RECORDS ARE SEARCHED BY

create table private.contacts_words (
  brand_id uuid not null,
  id uuid not null,
  words text not null,
  primary key (brand_id, id),
  foreign key (brand_id, id) references public.contacts on delete cascade
);
create table private.companies_words (
  brand_id uuid not null,
  id uuid not null,
  words text not null,
  primary key (brand_id, id),
  foreign key (brand_id, id) references public.companies on delete cascade
);
create table private.deals_words (
  brand_id uuid not null,
  id uuid not null,
  words text not null,
  primary key (brand_id, id),
  foreign key (brand_id, id) references public.deals on delete cascade
);
alter table private.contacts_words enable row level security;
alter table private.companies_words enable row level security;
alter table private.deals_words enable row level security;
revoke all on private.contacts_words, private.companies_words, private.deals_words
  from public, anon, authenticated, service_role;

create function private.contact_words(p_contact public.contacts) returns text
language sql stable set search_path = ''
as $$
  select array_to_string(private.folded_forms(concat_ws(' ',
    p_contact.first_name, p_contact.last_name, p_contact.email, p_contact.title, translate(p_contact.phone, ' +()-/.', ''),
    (select o.name from public.companies o where o.brand_id = p_contact.brand_id and o.id = p_contact.company_id))), ' ')
$$;

create function private.company_words(p_company public.companies) returns text
language sql stable set search_path = ''
as $$
  select array_to_string(private.folded_forms(concat_ws(' ', p_company.name, p_company.domain, p_company.website)), ' ')
$$;

create function private.deal_words(p_deal public.deals) returns text
language sql stable set search_path = ''
as $$
  select array_to_string(private.folded_forms(concat_ws(' ', p_deal.name,
    (select concat_ws(' ', c.first_name, c.last_name) from public.contacts c where c.brand_id = p_deal.brand_id and c.id = p_deal.contact_id),
    (select o.name from public.companies o where o.brand_id = p_deal.brand_id and o.id = p_deal.company_id))), ' ')
$$;

create function private.task_words(p_task public.tasks) returns text
language sql stable set search_path = ''
as $$
  select array_to_string(private.folded_forms(p_task.title), ' ')
$$;

-- Writes what all records are searched by anew: for rows that came without triggers.
create function private.write_all_words() returns void
language plpgsql set search_path = ''
as $$
begin
  delete from private.contacts_words;
  delete from private.companies_words;
  delete from private.deals_words;
  insert into private.contacts_words select c.brand_id, c.id, private.contact_words(c) from public.contacts c;
  insert into private.companies_words select o.brand_id, o.id, private.company_words(o) from public.companies o;
  insert into private.deals_words select d.brand_id, d.id, private.deal_words(d) from public.deals d;
end
$$;
select private.write_all_words();
create index contacts_words_idx on private.contacts_words using gin (brand_id, words extensions.gin_trgm_ops);
create index companies_words_idx on private.companies_words using gin (brand_id, words extensions.gin_trgm_ops);
create index deals_words_idx on private.deals_words using gin (brand_id, words extensions.gin_trgm_ops);
drop index public.contacts_by_words_idx, public.companies_by_words_idx, public.companies_by_name_words_idx, public.deals_by_words_idx;

-- KEPT IN STEP

create function private.write_contact_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.contacts_words as w values (new.brand_id, new.id, private.contact_words(new))
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create trigger write_words after insert or update of first_name, last_name, email, title, phone, company_id on public.contacts
  for each row execute function private.write_contact_words();

create function private.write_company_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.companies_words as w values (new.brand_id, new.id, private.company_words(new))
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create trigger write_words after insert or update of name, domain, website on public.companies
  for each row execute function private.write_company_words();

create function private.write_deal_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deals_words as w values (new.brand_id, new.id, private.deal_words(new))
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create trigger write_words after insert or update of name, contact_id, company_id on public.deals
  for each row execute function private.write_deal_words();

-- A new name waits for transactions that link to the row: they have read the old one.
create function private.lock_against_links() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  execute format('select from public.%I r where r.brand_id = $1 and r.id = $2 for update', tg_table_name) using new.brand_id, new.id;
  return new;
end
$$;
create trigger lock_against_links before update of name on public.companies
  for each row when (old.name is distinct from new.name) execute function private.lock_against_links();
create trigger lock_against_links before update of first_name, last_name on public.contacts
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function private.lock_against_links();

-- The name of a company is also in the words of its contacts and deals.
create function private.spread_company_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.contacts_words w set words = private.contact_words(c)
  from public.contacts c where c.brand_id = new.brand_id and c.company_id = new.id and w.brand_id = c.brand_id and w.id = c.id;
  update private.deals_words w set words = private.deal_words(d)
  from public.deals d where d.brand_id = new.brand_id and d.company_id = new.id and w.brand_id = d.brand_id and w.id = d.id;
  return null;
end
$$;
create trigger spread_name after update of name on public.companies
  for each row when (old.name is distinct from new.name) execute function private.spread_company_name();

create function private.spread_contact_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.deals_words w set words = private.deal_words(d)
  from public.deals d where d.brand_id = new.brand_id and d.contact_id = new.id and w.brand_id = d.brand_id and w.id = d.id;
  return null;
end
$$;
create trigger spread_name after update of first_name, last_name on public.contacts
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function private.spread_contact_name();

-- ANSWERS

-- Where a search looks: a query of the ids and words of a brand, $1. A table without a line here cannot be searched.
alter table private.list_searches rename column condition to source;
update private.list_searches set source = format('select w.id, w.words from private.%I w where w.brand_id = $1', table_name || '_words')
where table_name in ('contacts', 'companies', 'deals');
-- Without a table beside it: a title is all there is, and nothing else has it.
update private.list_searches set source = 'select r.id, private.task_words(r) as words from public.tasks r where r.brand_id = $1'
where table_name = 'tasks';

-- What a search finds, as SQL over a row called r: for a page, and for figures. Few hits are named by their ids. Where there are many, each row is looked at: a
-- page is full soon. Where all are counted they are compared at once (query_figures allows no nested loop). Otherwise the planner, which after
-- an import may know nothing of the new rows, could look through all words once for every row.
create function private.search_filters(p_table text, p_search text, p_brand_id uuid, out page text, out figures text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_few constant integer := 1000;
  v_source text := (select l.source from private.list_searches l where l.table_name = p_table);
  v_conditions text := private.search_conditions(p_search);
  v_ids uuid[];
begin
  if p_search = '' then
    return;
  end if;
  if v_source is null then
    raise exception 'The table % cannot be searched.', p_table using errcode = '22023';
  end if;
  execute format('select array(select w.id from (%s) w where %s limit %s)', v_source, v_conditions, v_few + 1) into v_ids using p_brand_id;
  if cardinality(v_ids) <= v_few then
    page := format('r.id = any (%L::uuid[])', v_ids);
    figures := page;
  else
    page := format('(select %s from (%s) w where w.id = r.id)', v_conditions, v_source);
    figures := format('r.id in (select w.id from (%s) w where %s)', v_source, v_conditions);
  end if;
end
$$;

drop function private.query_filter(text, jsonb);
drop function private.query_page(text, jsonb, text, uuid, text, uuid[], uuid[]);
drop function private.query_figures(text, text, uuid, text, uuid[], uuid[], boolean);

-- `where` of a query, and p_search of search_filters, as SQL over a row called r; $1 is the brand.
create function private.query_filter(p_table text, p_query jsonb, p_search text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_parts text[] := array['r.brand_id = $1'];
  v_where jsonb := coalesce(p_query -> 'where', '{}');
  v_key text;
  v_condition jsonb;
  v_type text;
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
  return array_to_string(v_parts || p_search, ' and ');
end
$$;

-- One page of a query: its rows as far as an answer holds them, the key values of the last one in `end`, and the bytes of all.
create function private.query_page(
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
         select jsonb_build_array(coalesce(jsonb_agg(s.data order by s.place) filter (where s.bytes <= $3), ''[]''), max(s.bytes))
         from (
           select d.place, d.data, sum(octet_length(d.data::text)) over (order by d.place rows unbounded preceding) as bytes
           from (
             select p.place, to_jsonb(r) - $2 as data from page p join public.%2$I r on r.brand_id = $1 and r.id = p.id offset 0
           ) d
         ) s
       ),
       (select jsonb_build_array(%8$s, p.id) from page p order by p.place desc limit 1)',
    v_key_list, p_table, p_filter, v_after, v_order_list, v_limit, v_skip,
    (select string_agg('p.k' || k.place, ', ' order by k.place) from unnest(v_keys) k))
  into v_found, "end" using p_brand_id, v_kept_back, private.answer_bytes();
  rows := v_found -> 0;
  bytes := coalesce((v_found ->> 1)::bigint, 0);
end
$$;

-- How many rows a query has; by currency, with their sums, where the table has amounts.
create function private.query_figures(
  p_table text, p_filter text, p_brand_id uuid, p_sums boolean
) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_nestloop = off
as $$
declare
  v_figures jsonb;
  v_count bigint;
begin
  if not p_sums then
    execute format('select count(*) from public.%I r where %s', p_table, p_filter)
    into v_count using p_brand_id;
    return jsonb_build_object('total', v_count);
  end if;
  execute format(
    'select jsonb_build_object(''total'', coalesce(sum(g.count), 0), ''sums'', coalesce(jsonb_agg(g order by g.currency), ''[]''))
     from (
       select r.amount_currency as currency, count(*) as count, sum(r.amount) as amount from public.%I r where %s group by r.amount_currency
     ) g', p_table, p_filter)
  into v_figures using p_brand_id;
  return v_figures;
end
$$;

-- Answers up to 50 queries of a brand from one snapshot. A query is
--   { table, where, search, order, after, skip, limit, rows, count, sums }
-- where: columns with a value, a list of values, or { gt, gte, lt, lte, "not": null }; { "now": seconds } is relative to now.
-- order: a name of private.list_orders. after: the `end` of another page of the same query: what follows it. skip: and then so
-- many rows on. rows, count, sums: what to answer (rows: unless false).
-- The answer: { answers: [{ rows, end, total, sums: [{ currency, count, amount }] }], named: { table: rows } }, the answers in
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
      if coalesce((v_query ->> 'sums')::boolean, false) and v_table <> 'deals' then
        raise exception 'Only deals have sums.' using errcode = '22023';
      end if;
      v_answer := v_answer || private.query_figures(v_table, private.query_filter(v_table, v_query, v_search.figures), p_brand_id, coalesce((v_query ->> 'sums')::boolean, false));
    end if;
    v_answers := v_answers || v_answer;
  end loop;
  select * into v_named from private.named_rows(p_brand_id, v_rows);
  perform private.assert_answer_size(v_bytes + v_named.bytes);
  return json_build_object('answers', array_to_json(v_answers), 'named', v_named.named);
end
$$;

-- One page of a search, and how many rows it has in all: { rows, total }.
create function private.search_page(
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
  return jsonb_build_object('rows', v_page.rows) 
    || private.query_figures(p_table, private.query_filter(p_table, v_query, v_search.figures), p_brand_id, false);
end
$$;

-- The ids in a column of these rows, each once.
create function private.named_ids(p_rows jsonb, p_column text) returns uuid[]
language sql immutable set search_path = ''
as $$
  select array(select distinct (r ->> p_column)::uuid from jsonb_array_elements(p_rows) r where r ->> p_column is not null order by 1)
$$;

-- The calls of earlier clients. Each answers { total, rows, … } with the records that the rows name.
create or replace function public.search_contacts(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0,
  p_owner_id uuid default null, p_sort text default 'newest'
) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_found jsonb;
begin
  perform private.assert_member(p_brand_id);
  v_found := private.search_page('contacts', p_brand_id, p_query, p_limit, p_offset, p_owner_id, p_sort, array['newest', 'name', 'email', 'company']);
  return json_build_object('total', v_found -> 'total', 'rows', v_found -> 'rows',
    'companies', private.companies_json(p_brand_id, private.named_ids(v_found -> 'rows', 'company_id')));
end
$$;

create or replace function public.search_companies(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0,
  p_owner_id uuid default null, p_sort text default 'newest'
) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return private.search_page('companies', p_brand_id, p_query, p_limit, p_offset, p_owner_id, p_sort, array['newest', 'name'])::json;
end
$$;

create or replace function public.search_deals(
  p_brand_id uuid, p_query text, p_limit integer default 50, p_offset integer default 0, p_owner_id uuid default null
) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_found jsonb;
begin
  perform private.assert_member(p_brand_id);
  v_found := private.search_page('deals', p_brand_id, p_query, p_limit, p_offset, p_owner_id, 'newest', array['newest']);
  return json_build_object('total', v_found -> 'total', 'rows', v_found -> 'rows',
    'contacts', private.contacts_json(p_brand_id, private.named_ids(v_found -> 'rows', 'contact_id')),
    'companies', private.companies_json(p_brand_id, private.named_ids(v_found -> 'rows', 'company_id')));
end
$$;

revoke execute on all functions in schema private from public;

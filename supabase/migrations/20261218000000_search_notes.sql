-- Contacts, companies and deals are found by the words of their notes (decision 066). A word is found by its beginning, capitals and accents
-- do not count, as in lists. The device searches alike: src/web/data/note-words.ts.

-- The words of a folded text: what stands between signs and spaces. They are cut here and not by PostgreSQL's parser, which takes addresses,
-- numbers and hyphens apart as the locale has it. Words are as they are, as with the configuration `simple`.
create function private.words_of(p_text text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return array(
    select left(w.word, 100)
    from regexp_split_to_table(p_text, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\ufe00-\ufe0f\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff]+')
      with ordinality w (word, place)
    where w.word <> '' order by w.place
  );
end
$$;

-- What each word of a brand's notes begins with in the index. With the brand as a column of it, all notes of the brand would be read at every
-- search. Two brands may have the same beginning: who searches asks for the brand as well.
create function private.brand_mark(p_brand_id uuid) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return left(md5(p_brand_id::text), 6);
end
$$;

-- What a note is searched by: its words in all forms. Of a mention the name counts, not the id.
create function private.note_words(p_brand_id uuid, p_body text) returns tsvector
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_brand constant text := private.brand_mark(p_brand_id);
begin
  return array_to_tsvector(array(
    select distinct v_brand || w.word
    from unnest(private.folded_forms(regexp_replace(p_body, '\]\(user:[0-9a-f-]{36}\)', ']', 'gi'))) f (form)
    cross join unnest(private.words_of(f.form)) w (word)
  ));
end
$$;

-- A typed text as a query for notes that have all of its first eight words, or words that begin so. Null where it has none.
create function private.note_query(p_brand_id uuid, p_search text) returns tsquery
language plpgsql immutable set search_path = ''
as $$
declare
  v_brand constant text := private.brand_mark(p_brand_id);
  v_forms constant text[] := private.folded_forms(p_search);
  v_plain constant text[] := private.words_of(v_forms[1]);
  v_spelled constant text[] := private.words_of(v_forms[cardinality(v_forms)]);
  v_parts text[] := '{}';
begin
  -- No word has a quote or a backslash. Accents that are spelled out are letters, so that both forms have the same number of words.
  for i in 1..least(cardinality(v_plain), 8) loop
    v_parts := v_parts || case when v_plain[i] = v_spelled[i] then format('''%s%s'':*', v_brand, v_plain[i])
      else format('(''%1$s%2$s'':* | ''%1$s%3$s'':*)', v_brand, v_plain[i], v_spelled[i]) end;
  end loop;
  return nullif(array_to_string(v_parts, ' & '), '')::tsquery;
end
$$;

create table private.notes_words (
  brand_id uuid not null,
  id uuid not null,
  words tsvector not null,
  primary key (brand_id, id),
  foreign key (brand_id, id) references public.notes on delete cascade
);
alter table private.notes_words enable row level security;
revoke all on private.notes_words from public, anon, authenticated, service_role;

create function private.write_note_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.notes_words as w values (new.brand_id, new.id, private.note_words(new.brand_id, new.body))
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create trigger write_words after insert or update of body on public.notes
  for each row execute function private.write_note_words();

-- As before, and the words of notes.
create or replace function private.write_all_words() returns void
language plpgsql set search_path = ''
as $$
begin
  delete from private.contacts_words;
  delete from private.companies_words;
  delete from private.deals_words;
  delete from private.tasks_words;
  delete from private.notes_words;
  insert into private.contacts_words select c.brand_id, c.id, private.contact_words(c) from public.contacts c;
  insert into private.companies_words select o.brand_id, o.id, private.company_words(o) from public.companies o;
  insert into private.deals_words select d.brand_id, d.id, private.deal_words(d) from public.deals d;
  insert into private.tasks_words select t.brand_id, t.id, private.task_words(t) from public.tasks t;
  insert into private.notes_words select n.brand_id, n.id, private.note_words(n.brand_id, n.body) from public.notes n;
end
$$;
insert into private.notes_words select n.brand_id, n.id, private.note_words(n.brand_id, n.body) from public.notes n;
create index notes_words_idx on private.notes_words using gin (words);

-- Runs a statement of found_notes for notes or records that are named by their ids. The planner takes each word for one of 2% of all notes, and
-- would read them all.
create function private.listed_notes(
  p_statement text, p_brand_id uuid, p_query tsquery, p_at timestamptz, p_id uuid, p_limit integer, p_ids uuid[]
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off
as $$
declare
  v_page jsonb;
begin
  execute p_statement into v_page using p_brand_id, p_query, p_at, p_id, p_limit, p_ids;
  return v_page;
end
$$;

-- The notes that a search finds, of each record the newest, as [[id, occurred_at]], the newest first, after (p_at, p_id).
-- p_filter: the records that may be found, as SQL over a row called r, null: all; p_records: their ids where they are few, else null.
create function private.found_notes(
  p_brand_id uuid, p_table text, p_link text, p_query tsquery, p_filter text, p_records uuid[], p_at timestamptz, p_id uuid, p_limit integer
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_budget constant integer := 400;
  v_few constant integer := 5000;
  v_has constant text := '(select w.words @@ $2 from private.notes_words w where w.brand_id = $1 and w.id = n.id)';
  v_after constant text := '(n.occurred_at < $3 or (n.occurred_at = $3 and n.id > $4)) and n.occurred_at <= $3';
  -- $5: how many. `matched` has notes that match, of each record all of some time; a note is left out for a newer one of its record.
  v_answer constant text := format(
    'firsts as (select distinct on (m.link) m.* from matched m order by m.link, m.occurred_at desc, m.id)
     select coalesce(jsonb_agg(jsonb_build_array(p.id, p.occurred_at) order by p.occurred_at desc, p.id), ''[]'')
     from (
       select n.id, n.occurred_at from firsts n
       where %s%s', v_after, ' and (select true from public.' || p_table || ' r where ' || p_filter || ' and r.id = n.link)');
  v_end constant text := ' order by n.occurred_at desc, n.id limit $5) p';
  v_page jsonb;
  v_ids uuid[];
begin
  -- A word of many notes is in some of the newest: a page of them is full soon, and the index is not asked. So it is in a small brand.
  execute format(
    'with walked as materialized (
       select n.id, n.occurred_at, n.%1$I as link from public.notes n
       where n.brand_id = $1 and n.%1$I is not null and %2$s
       order by n.occurred_at desc, n.id limit $6
     ),
     matched as (select n.* from walked n where %3$s),
     %4$s and ($3 = ''infinity'' or not exists (
       select from public.notes m where m.brand_id = $1 and m.%1$I = n.link
         and (m.occurred_at > n.occurred_at or (m.occurred_at = n.occurred_at and m.id < n.id)) and %5$s
     )) %6$s', p_link, v_after, v_has, v_answer, replace(v_has, 'n.id', 'm.id'), v_end)
  into v_page using p_brand_id, p_query, p_at, p_id, p_limit, v_budget;
  if jsonb_array_length(v_page) = p_limit then
    return v_page;
  end if;
  -- Few records, or few notes, are looked up one by one.
  if p_records is null then
    v_ids := private.first_hits('select w.id, w.words from private.notes_words w where w.brand_id = $1', format('w.words @@ %L::tsquery', p_query),
      p_brand_id, v_few + 1, null);
  end if;
  if p_records is not null or cardinality(v_ids) <= v_few then
    return private.listed_notes(format(
      'with matched as materialized (
         select n.id, n.occurred_at, n.%1$I as link from public.notes n where n.brand_id = $1 and n.%1$I is not null and %2$s
       ), %3$s %4$s', p_link, case when p_records is null then 'n.id = any ($6)' else format('n.%I = any ($6) and %s', p_link, v_has) end, v_answer, v_end),
      p_brand_id, p_query, p_at, p_id, p_limit, coalesce(p_records, v_ids));
  end if;
  execute format(
    'with matched as materialized (
       select n.id, n.occurred_at, n.%1$I as link
       from private.notes_words w join public.notes n on n.brand_id = w.brand_id and n.id = w.id
       where w.brand_id = $1 and w.words @@ $2 and n.%1$I is not null
     ), %2$s %3$s', p_link, v_answer, v_end)
  into v_page using p_brand_id, p_query, p_at, p_id, p_limit;
  return v_page;
end
$$;

-- The records that are found by a note of theirs: of each the newest note that has all words, the newest first.
--   { notes: rows, named: { table: rows }, next }
-- p_query: { table, where, search } of read_queries, table: contacts, companies or deals. p_before: the `next` of the page before; `next` is
-- null where nothing follows. p_limit: up to 50. Raises NOT_AUTHORIZED.
create function public.search_notes(p_brand_id uuid, p_query jsonb, p_before text default null, p_limit integer default 20) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_few constant integer := 1000;
  v_limit constant integer := least(greatest(coalesce(p_limit, 20), 1), 50);
  v_table constant text := p_query ->> 'table';
  v_link constant text := case v_table when 'contacts' then 'contact_id' when 'companies' then 'company_id' when 'deals' then 'deal_id' end;
  v_search constant text := coalesce(p_query ->> 'search', '');
  v_query tsquery;
  v_filter text;
  v_at timestamptz := 'infinity';
  v_id uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_records uuid[];
  v_page jsonb;
  v_rows jsonb;
  v_named record;
begin
  perform private.assert_member(p_brand_id);
  if v_link is null then
    raise exception 'Contacts, companies and deals are found by their notes.' using errcode = '22023';
  elsif length(v_search) > 1000 then
    raise exception 'A search of notes has at most 1000 characters.' using errcode = '22023';
  end if;
  if p_before is not null then
    begin
      v_at := split_part(p_before, '~', 1)::timestamptz;
      v_id := split_part(p_before, '~', 2)::uuid;
    exception when data_exception then
      raise exception 'p_before is the "next" of the page before.' using errcode = '22023';
    end;
  end if;
  v_query := private.note_query(p_brand_id, v_search);
  if v_query is null then
    return '{"notes": [], "named": {}, "next": null}';
  end if;
  if coalesce(p_query -> 'where', '{}') <> '{}' then
    v_filter := private.query_filter(v_table, p_query, null);
    execute format('select array(select r.id from public.%I r where %s limit %s)', v_table, v_filter, v_few + 1) into v_records using p_brand_id;
  end if;
  v_page := private.found_notes(p_brand_id, v_table, v_link, v_query, v_filter, case when cardinality(v_records) <= v_few then v_records end,
    v_at, v_id, v_limit + 1);
  select coalesce(jsonb_agg(to_jsonb(n) order by n.occurred_at desc, n.id), '[]') into v_rows
  from public.notes n
  where n.brand_id = p_brand_id and n.id = any (array(
    select (e.hit ->> 0)::uuid from jsonb_array_elements(v_page) with ordinality e (hit, place) where e.place <= v_limit
  ));
  select * into v_named from private.named_rows(p_brand_id, jsonb_build_object('notes', v_rows));
  perform private.assert_answer_size(octet_length(v_rows::text) + v_named.bytes);
  return json_build_object('notes', v_rows, 'named', v_named.named, 'next',
    case when jsonb_array_length(v_page) > v_limit then (v_page -> (v_limit - 1) ->> 1) || '~' || (v_page -> (v_limit - 1) ->> 0) end);
end
$$;

revoke execute on all routines in schema private from public;
revoke execute on function public.search_notes(uuid, jsonb, text, integer) from public, anon, authenticated;
grant execute on function public.search_notes(uuid, jsonb, text, integer) to authenticated, service_role;

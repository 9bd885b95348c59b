-- A search reads the words in the order of a list, newest first or by name, without a look into the records; and it finds letters that few
-- records have by an index: for one or two letters there is no trigram.

-- The rows are written anew in their order, so that those which are read together lie together.
do $$
declare
  v_table text;
  v_names text;
begin
  for v_table, v_names in
    select * from (values ('contacts', 'first_name text, last_name text'), ('companies', 'name text'), ('deals', 'name text'), ('tasks', null)) t
  loop
    execute format('lock table public.%1$I, private.%1$s_words in share row exclusive mode', v_table);
    execute format(
      'create temporary table old_words on commit drop as
       select w.brand_id, w.id, w.words, r.created_at%2$s from private.%1$s_words w join public.%1$I r on r.brand_id = w.brand_id and r.id = w.id',
      v_table, regexp_replace(', ' || v_names, ', ([a-z_]+) text', ', r.\1', 'g'));
    execute format('alter table private.%1$s_words drop constraint %1$s_words_brand_id_id_fkey', v_table);
    execute format('drop index private.%s_words_idx', v_table);
    execute format('truncate private.%s_words', v_table);
    execute format('alter table private.%s_words add column created_at timestamptz not null%s', v_table,
      regexp_replace(', ' || v_names, ', ', ', add column ', 'g'));
    execute format('insert into private.%s_words select * from pg_temp.old_words order by brand_id, created_at', v_table);
    drop table pg_temp.old_words;
    execute format('alter table private.%1$s_words add constraint %1$s_words_brand_id_id_fkey foreign key (brand_id, id) references public.%1$I on delete cascade', v_table);
    execute format('create index %1$s_words_newest_idx on private.%1$s_words (brand_id, created_at desc, id)', v_table);
    -- And the letters of the words that are rare in most languages, and those of other scripts: the others are found without an index.
    execute format(
      'create index %1$s_words_idx on private.%1$s_words using gin (brand_id, words extensions.gin_trgm_ops%2$s)', v_table,
      case when v_names is not null then ', string_to_array(translate(words, '' abcdefghiklmnoprstu0123456789.@-'', ''''), null)' end);
    execute format('analyze private.%s_words', v_table);
    update private.list_searches set source = format('select w.* from private.%s_words w where w.brand_id = $1', v_table) where table_name = v_table;
  end loop;
end
$$;

-- When a record was made never changes (private.stamp).
create or replace function private.add_contact_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.contacts_words as w
  select n.brand_id, n.id, private.contact_words(n::public.contacts), n.created_at, n.first_name, n.last_name from arrived n
  on conflict (brand_id, id) do update set words = excluded.words, first_name = excluded.first_name, last_name = excluded.last_name;
  return null;
end
$$;

create or replace function private.add_company_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.companies_words as w select n.brand_id, n.id, private.company_words(n::public.companies), n.created_at, n.name from arrived n
  on conflict (brand_id, id) do update set words = excluded.words, name = excluded.name;
  return null;
end
$$;

create or replace function private.add_deal_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deals_words as w select n.brand_id, n.id, private.deal_words(n::public.deals), n.created_at, n.name from arrived n
  on conflict (brand_id, id) do update set words = excluded.words, name = excluded.name;
  return null;
end
$$;

create or replace function private.write_contact_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.contacts_words as w values (new.brand_id, new.id, private.contact_words(new), new.created_at, new.first_name, new.last_name)
  on conflict (brand_id, id) do update set words = excluded.words, first_name = excluded.first_name, last_name = excluded.last_name
  where (w.words, w.first_name, w.last_name) is distinct from (excluded.words, excluded.first_name, excluded.last_name);
  return null;
end
$$;

create or replace function private.write_company_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.companies_words as w values (new.brand_id, new.id, private.company_words(new), new.created_at, new.name)
  on conflict (brand_id, id) do update set words = excluded.words, name = excluded.name
  where (w.words, w.name) is distinct from (excluded.words, excluded.name);
  return null;
end
$$;

create or replace function private.write_deal_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deals_words as w values (new.brand_id, new.id, private.deal_words(new), new.created_at, new.name)
  on conflict (brand_id, id) do update set words = excluded.words, name = excluded.name
  where (w.words, w.name) is distinct from (excluded.words, excluded.name);
  return null;
end
$$;

create or replace function private.write_task_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.tasks_words as w values (new.brand_id, new.id, private.task_words(new), new.created_at)
  on conflict (brand_id, id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;

create or replace function private.write_all_words() returns void
language plpgsql set search_path = ''
as $$
begin
  delete from private.contacts_words;
  delete from private.companies_words;
  delete from private.deals_words;
  delete from private.tasks_words;
  delete from private.notes_words;
  insert into private.contacts_words select c.brand_id, c.id, private.contact_words(c), c.created_at, c.first_name, c.last_name from public.contacts c;
  insert into private.companies_words select o.brand_id, o.id, private.company_words(o), o.created_at, o.name from public.companies o;
  insert into private.deals_words select d.brand_id, d.id, private.deal_words(d), d.created_at, d.name from public.deals d;
  insert into private.tasks_words select t.brand_id, t.id, private.task_words(t), t.created_at from public.tasks t;
  insert into private.notes_words select n.brand_id, n.id, private.note_words(n.brand_id, n.body) from public.notes n;
end
$$;

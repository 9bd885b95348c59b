-- Tags of contacts, companies and deals: a brand's own words with a colour. Admins and owners change them, members choose among them.

create table public.tags (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text collate "und-x-icu" not null check (name <> '' and length(name) <= 50),
  color text not null check (color in ('grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'indigo', 'purple', 'pink')),
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id)
);
create unique index tags_by_folded_name_idx on public.tags (brand_id, lower(name));

-- Lists in files separate names by comma and semicolon. A tag without a colour gets one that few others have. Restoring goes by
-- restore_records, which every member may call.
create function private.tidy_tag() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_most constant integer := 200;
  v_colors constant text[] := '{blue,green,orange,purple,teal,red,pink,yellow,indigo,grey}';
begin
  new.name := private.required_name(new.name);
  if new.name ~ '[,;]' then
    raise exception 'A tag has no comma and no semicolon in its name.' using errcode = '23514';
  end if;
  if tg_op = 'INSERT' then
    if current_setting('private.restoring', true) = 'on' then
      perform private.assert_role(new.brand_id, 'admin');
    end if;
    -- Counted by one at a time.
    perform pg_advisory_xact_lock(hashtextextended('tags ' || new.brand_id, 0));
    if (select count(*) from public.tags t where t.brand_id = new.brand_id) >= v_most then
      raise exception 'A brand has at most % tags. Delete or merge some first.', v_most using errcode = '54000';
    end if;
    if new.color is null then
      new.color := (
        select c.color from unnest(v_colors) with ordinality c (color, place)
        order by (select count(*) from public.tags t where t.brand_id = new.brand_id and t.color = c.color), c.place limit 1
      );
    end if;
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.tags for each row execute function private.tidy_tag();

call private.keep_in_sync('public.tags');

revoke all on public.tags from public, anon, authenticated;
grant select on public.tags to authenticated;
grant insert (id, brand_id, name, color), update (name, color), delete on public.tags to authenticated;
grant select, insert, update, delete on public.tags to service_role;

alter table public.tags enable row level security;
create policy "members see the tags of their brands" on public.tags for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "admins and owners add tags" on public.tags for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners change tags" on public.tags for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners delete tags" on public.tags for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "the secret key sees every tag" on public.tags to service_role using (true);

insert into private.list_orders (table_name, order_name, place, expression, type, descending, is_required) values
  ('tags', 'newest', 1, 'r.created_at', 'timestamptz', true, true),
  ('tags', 'name', 1, 'r.name collate private.by_name', 'text', false, true);

-- THE TAGS OF A RECORD

-- The ids of a record's tags, sorted. Ids of deleted tags may be among them (docs/decisions/061).
alter table public.contacts add column tag_ids uuid[] not null default '{}' check (cardinality(tag_ids) <= 100);
alter table public.companies add column tag_ids uuid[] not null default '{}' check (cardinality(tag_ids) <= 100);
alter table public.deals add column tag_ids uuid[] not null default '{}' check (cardinality(tag_ids) <= 100);
grant insert (tag_ids), update (tag_ids) on public.contacts, public.companies, public.deals to authenticated;

-- A tag's id belongs to one brand, so the brand is no part of these keys: its list of records would be read as well.
create index contacts_by_tag_idx on public.contacts using gin (tag_ids) where tag_ids <> '{}';
create index companies_by_tag_idx on public.companies using gin (tag_ids) where tag_ids <> '{}';
create index deals_by_tag_idx on public.deals using gin (tag_ids) where tag_ids <> '{}';

-- Records that are deleted already can be restored.
update private.tombstones t set row_data = t.row_data || '{"tag_ids": []}'
where t.table_name in ('contacts', 'companies', 'deals') and t.row_data is not null and not t.row_data ? 'tag_ids';

-- Keeps the ids of tags of this brand, and of deleted ones that can still be restored, once each and sorted.
create function private.tidy_tag_ids() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_most constant integer := 30;
  v_living uuid[] := array(select t.id from public.tags t where t.brand_id = new.brand_id and t.id = any (new.tag_ids));
begin
  if cardinality(v_living) > v_most then
    raise exception 'A record has at most % tags.', v_most using errcode = '54000';
  end if;
  new.tag_ids := array(
    select unnest(v_living)
    union
    (select t.row_id from private.tombstones t
    where t.brand_id = new.brand_id and t.table_name = 'tags' and t.row_id = any (new.tag_ids) and t.row_data is not null
    order by t.deleted_at desc, t.row_id limit v_most)
    order by 1
  );
  return new;
end
$$;
create trigger tidy_first_tags before insert on public.contacts
  for each row when (new.tag_ids <> '{}') execute function private.tidy_tag_ids();
create trigger tidy_tags before update of tag_ids on public.contacts
  for each row when (new.tag_ids <> '{}' and new.tag_ids <> old.tag_ids) execute function private.tidy_tag_ids();
create trigger tidy_first_tags before insert on public.companies
  for each row when (new.tag_ids <> '{}') execute function private.tidy_tag_ids();
create trigger tidy_tags before update of tag_ids on public.companies
  for each row when (new.tag_ids <> '{}' and new.tag_ids <> old.tag_ids) execute function private.tidy_tag_ids();
create trigger tidy_first_tags before insert on public.deals
  for each row when (new.tag_ids <> '{}') execute function private.tidy_tag_ids();
create trigger tidy_tags before update of tag_ids on public.deals
  for each row when (new.tag_ids <> '{}' and new.tag_ids <> old.tag_ids) execute function private.tidy_tag_ids();

-- Makes a tag, or finds the one with this name, compared without regard to case; answers its id. For admins and owners.
create function public.upsert_tag(p_brand_id uuid, p_name text, p_color text default null, p_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.assert_role(p_brand_id, 'admin');
  loop
    select t.id into v_id from public.tags t
    where t.brand_id = p_brand_id and lower(t.name) = lower(private.required_name(p_name) collate "und-x-icu");
    exit when found;
    insert into public.tags (brand_id, id, name, color)
    values (p_brand_id, coalesce(p_id, gen_random_uuid()), p_name, p_color)
    on conflict (brand_id, lower(name)) do nothing
    returning id into v_id;
    exit when found;
  end loop;
  return v_id;
end
$$;

-- How many records each tag has: [{ id, contacts, companies, deals }], tags without records left out.
create function public.tag_counts(p_brand_id uuid) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    select coalesce(json_agg(c order by c.id), '[]')
    from (
      select u.id, count(*) filter (where u.place = 1) as contacts, count(*) filter (where u.place = 2) as companies,
        count(*) filter (where u.place = 3) as deals
      from (
        select 1 as place, unnest(r.tag_ids) as id from public.contacts r where r.brand_id = p_brand_id and r.tag_ids <> '{}'
        union all select 2, unnest(r.tag_ids) from public.companies r where r.brand_id = p_brand_id and r.tag_ids <> '{}'
        union all select 3, unnest(r.tag_ids) from public.deals r where r.brand_id = p_brand_id and r.tag_ids <> '{}'
      ) u
      join public.tags t on t.brand_id = p_brand_id and t.id = u.id
      group by u.id
    ) c
  );
end
$$;

-- Gives the records of a tag another one instead, at most 500 a call, and then deletes it: call it until the answer says `done`.
-- Answers { done, count }: how many records this call has changed. For admins and owners.
create function public.merge_tags(p_brand_id uuid, p_tag_id uuid, p_into_id uuid) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_table text;
  v_changed integer;
  v_count integer := 0;
begin
  perform private.assert_role(p_brand_id, 'admin');
  -- In the order of their ids, so that two merges do not deadlock.
  perform from public.tags t where t.brand_id = p_brand_id and t.id in (p_tag_id, p_into_id) order by t.id for update;
  if p_tag_id = p_into_id or (select count(*) from public.tags t where t.brand_id = p_brand_id and t.id in (p_tag_id, p_into_id)) < 2 then
    raise exception 'Two tags of this brand are needed. One of them may have been deleted meanwhile.' using errcode = '22023';
  end if;
  foreach v_table in array array['contacts', 'companies', 'deals'] loop
    execute format(
      'with found as materialized (
         select r.id from public.%1$I r where r.brand_id = $1 and r.tag_ids @> array[$2] and r.tag_ids <> ''{}'' order by r.id limit $4 for update
       )
       update public.%1$I r set tag_ids = array_remove(r.tag_ids, $2) || $3
       from found f where r.brand_id = $1 and r.id = f.id', v_table)
    using p_brand_id, p_tag_id, p_into_id, v_piece - v_count;
    get diagnostics v_changed = row_count;
    v_count := v_count + v_changed;
  end loop;
  if v_count < v_piece then
    delete from public.tags t where t.brand_id = p_brand_id and t.id = p_tag_id;
  end if;
  return json_build_object('done', v_count < v_piece, 'count', v_count);
end
$$;

-- ASKED FOR

-- The condition of one column: a value, a list of values, an object of gt, gte, lt, lte and "not": null; of a column with several
-- values { "has": values }, any of them.
create or replace function private.query_condition(p_column text, p_type text, p_condition jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_operators constant jsonb := '{"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}';
  v_parts text[] := '{}';
  v_key text;
  v_value jsonb;
begin
  if p_type like '%[]' then
    v_value := p_condition -> 'has';
    if jsonb_typeof(p_condition) <> 'object' or jsonb_typeof(v_value) is distinct from 'array' or p_condition - 'has' <> '{}' then
      raise exception 'The condition of % in p_queries is { "has": a list of values }.', p_column using errcode = '22023';
    elsif jsonb_array_length(v_value) > 1000 then
      raise exception 'A list of values in p_queries holds at most 1000.' using errcode = '22023';
    end if;
    -- The second condition is that of the index.
    return format('(r.%1$I && %2$L::%3$s and r.%1$I <> ''{}'')', p_column, array(select jsonb_array_elements_text(v_value))::text, p_type);
  end if;
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

-- CHANGED FOR MANY

-- Changes at most 500 records of a query (p_query: { table, where, search } of read_queries): call it until the answer says `done`.
-- p_change: { "delete": true }, { "owner_id": a member or null }, or { "add_tags": ids, "remove_tags": ids }, one or both. p_until:
-- the `until` of the first answer, so that records that are added meanwhile are left alone. Answers { done, count, ids, until }: how
-- many this call has changed, and which. Every member may: each of these records could be changed by itself.
create or replace function public.change_matching(p_brand_id uuid, p_query jsonb, p_change jsonb, p_until timestamptz default null) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_table text := p_query ->> 'table';
  v_until timestamptz := coalesce(p_until, now());
  v_owner uuid;
  v_add uuid[];
  v_remove uuid[];
  v_search record;
  v_filter text;
  v_ids uuid[];
begin
  perform private.assert_member(p_brand_id);
  if v_table is null or v_table not in ('contacts', 'companies', 'deals') then
    raise exception 'Contacts, companies and deals can be changed by a query.' using errcode = '22023';
  end if;
  select * into v_search from private.search_filters(v_table, coalesce(p_query ->> 'search', ''), p_brand_id);
  v_filter := private.query_filter(v_table, p_query, v_search.figures) || ' and r.created_at <= $2';
  if p_change = '{"delete": true}' then
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, null, v_piece);
    execute format('delete from public.%I r where r.brand_id = $1 and r.id = any ($2)', v_table) using p_brand_id, v_ids;
  elsif p_change ? 'owner_id' and (select count(*) from jsonb_object_keys(p_change)) = 1 then
    v_owner := (p_change ->> 'owner_id')::uuid;
    if v_owner is not null and not exists (select from public.memberships m where m.brand_id = p_brand_id and m.user_id = v_owner) then
      raise exception 'The owner is not a member of this brand.' using errcode = '22023';
    end if;
    v_filter := v_filter || ' and r.owner_id is distinct from $3';
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, v_owner, v_piece);
    execute format('update public.%I r set owner_id = $3 where r.brand_id = $1 and r.id = any ($2)', v_table)
    using p_brand_id, v_ids, v_owner;
  elsif p_change ?| array['add_tags', 'remove_tags'] and p_change - array['add_tags', 'remove_tags'] = '{}'
    and coalesce(jsonb_typeof(p_change -> 'add_tags'), 'array') = 'array' and coalesce(jsonb_typeof(p_change -> 'remove_tags'), 'array') = 'array'
    and jsonb_array_length(coalesce(p_change -> 'add_tags', '[]')) + jsonb_array_length(coalesce(p_change -> 'remove_tags', '[]')) <= 200
  then
    v_add := array(select jsonb_array_elements_text(p_change -> 'add_tags'));
    v_remove := array(select jsonb_array_elements_text(p_change -> 'remove_tags'));
    if exists (
      select unnest(v_add) except select t.id from public.tags t where t.brand_id = p_brand_id
      except select t.row_id from private.tombstones t where t.brand_id = p_brand_id and t.table_name = 'tags' and t.row_data is not null
    ) then
      raise exception 'A tag of "add_tags" is not one of this brand.' using errcode = '22023';
    end if;
    v_filter := v_filter || format(' and (not r.tag_ids @> %L::uuid[] or r.tag_ids && %L::uuid[])', v_add, v_remove);
    v_ids := private.lock_matching(v_table, v_filter, p_brand_id, v_until, null, v_piece);
    -- The other tags of each record stay as they are.
    execute format(
      'update public.%I r set tag_ids = array(select unnest(r.tag_ids) union select unnest($3) except select unnest($4))
       where r.brand_id = $1 and r.id = any ($2)', v_table)
    using p_brand_id, v_ids, v_add, v_remove;
  else
    raise exception 'p_change is {"delete": true}, {"owner_id": a member or null} or {"add_tags": ids, "remove_tags": ids}.' using errcode = '22023';
  end if;
  return json_build_object('done', cardinality(v_ids) < v_piece, 'count', cardinality(v_ids), 'ids', v_ids, 'until', v_until);
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.upsert_tag(uuid, text, text, uuid), public.tag_counts(uuid), public.merge_tags(uuid, uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.upsert_tag(uuid, text, text, uuid), public.tag_counts(uuid), public.merge_tags(uuid, uuid, uuid)
  to authenticated, service_role;

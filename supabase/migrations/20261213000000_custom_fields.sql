-- Fields that a brand defines itself for its contacts, companies and deals. A definition is a row of custom_fields; the values of a
-- record are one JSON object, `custom`, keyed by the ids of fields. No field is a column: defining one changes no table
-- (docs/decisions/062).

create table public.custom_fields (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- What a field is for, its key and its type stay for ever: values and integrations depend on them.
  "table" text not null check ("table" in ('contacts', 'companies', 'deals')),
  -- The name of the field for imports and programs. From the label where absent.
  key text not null check (key ~ '^[a-z][a-z0-9_]*$' and length(key) <= 60),
  label text collate "und-x-icu" not null check (label <> '' and length(label) <= 80),
  type text not null check (type in ('text', 'long_text', 'number', 'money', 'date', 'yes_no', 'choice', 'choices', 'link')),
  -- choice and choices: [{ id, label, retired }]. A text stands for an option with this id and label.
  options jsonb not null default '[]',
  -- money: of all its values.
  currency text check (currency ~ '^[A-Z]{3}$'),
  position numeric not null check (position > 0 and position <= 1000000 and scale(position) <= 20),
  -- Forms and panels ask for it. SQL does not refuse a record without it: records written before would be stuck.
  required boolean not null default false,
  -- The values stay, forms and lists leave the field out.
  retired_at timestamptz,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id)
);
create unique index custom_fields_by_key_idx on public.custom_fields (brand_id, "table", key);
create unique index custom_fields_by_label_idx on public.custom_fields (brand_id, "table", lower(label)) where retired_at is null;

-- DEFINITIONS

-- The options of a list: as given, then those of before that are missing, retired. Values name options by id, so none goes.
create function private.field_options(p_given jsonb, p_before jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
declare
  v_given jsonb;
  v_option jsonb;
  v_id text;
  v_label text;
  v_isretired boolean;
  v_ids text[] := '{}';
  v_labels text[] := '{}';
  v_options jsonb := '[]';
begin
  if jsonb_typeof(p_given) is distinct from 'array' or jsonb_array_length(p_given) > 200 or octet_length(p_given::text) > 65536 then
    raise exception 'The options of a field are a list of at most 200.' using errcode = '22023';
  end if;
  for v_given in select * from jsonb_array_elements(p_given) loop
    v_option := case when jsonb_typeof(v_given) = 'string' then jsonb_build_object('label', v_given) else v_given end;
    v_label := private.name_or_null(v_option ->> 'label');
    v_id := coalesce(v_option ->> 'id', v_label);
    v_isretired := v_option -> 'retired' is not distinct from 'true';
    if v_label is null or length(v_label) > 100 or v_id = '' or length(v_id) > 100 then
      raise exception 'An option of a field has a label of 1 to 100 characters.' using errcode = '22023';
    end if;
    if v_id = any (v_ids) or (lower(v_label) = any (v_labels) and not v_isretired) then
      raise exception 'The option "%" is there twice.', v_label using errcode = '22023';
    end if;
    v_ids := v_ids || v_id;
    v_labels := v_labels || case when not v_isretired then array[lower(v_label)] end;
    v_options := v_options || (jsonb_build_object('id', v_id, 'label', v_label)
      || case when v_isretired then '{"retired": true}' else '{}' end::jsonb);
  end loop;
  v_options := v_options || coalesce((
    select jsonb_agg(b.option || '{"retired": true}' order by b.place)
    from jsonb_array_elements(p_before) with ordinality b (option, place) where b.option ->> 'id' <> all (v_ids)
  ), '[]');
  if jsonb_array_length(v_options) > 200 then
    raise exception 'The options of a field are a list of at most 200, with those that were removed.' using errcode = '22023';
  end if;
  return v_options;
end
$$;

-- A key from a label: 'Renewal month' -> 'renewal_month', and with a number where it is taken.
create function private.field_key(p_brand_id uuid, p_table text, p_label text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_base text := left(btrim(regexp_replace(lower(private.without_accents(p_label)), '[^a-z0-9]+', '_', 'g'), '_'), 50);
  v_key text;
  v_number integer := 1;
begin
  v_base := case when v_base ~ '^[a-z]' then v_base else rtrim('field_' || v_base, '_') end;
  v_key := v_base;
  while exists (select from public.custom_fields f where f.brand_id = p_brand_id and f."table" = p_table and f.key = v_key) loop
    v_number := v_number + 1;
    v_key := v_base || '_' || v_number;
  end loop;
  return v_key;
end
$$;

-- It runs with the caller's rights: to somebody outside of the brand it says nothing about the brand's fields.
create function private.tidy_custom_field() returns trigger
language plpgsql
as $$
declare
  v_isback boolean := tg_op = 'INSERT';
begin
  -- Only the secret key deletes fields; what it deleted is restored by admins alone.
  if tg_op = 'INSERT' and coalesce(current_setting('private.restoring', true), '') <> '' then
    perform private.assert_role(new.brand_id, 'admin');
  end if;
  if tg_op = 'UPDATE' then
    if (new."table", new.key, new.type) is distinct from (old."table", old.key, old.type) then
      raise exception 'The table, key and type of a field cannot be changed.' using errcode = '22023';
    end if;
    v_isback := old.retired_at is not null and new.retired_at is null;
  end if;
  new.label := coalesce(private.required_name(new.label), initcap(left(new.key, 1)) || replace(substr(new.key, 2), '_', ' '));
  if new.label = '' or new.label is null then
    raise exception 'A field needs a label.' using errcode = '22023';
  end if;
  if new.key is null then
    new.key := private.field_key(new.brand_id, new."table", new.label);
  end if;
  if new.type in ('choice', 'choices') then
    if tg_op = 'INSERT' then
      new.options := private.field_options(new.options, '[]');
    elsif new.options is distinct from old.options then
      new.options := private.field_options(new.options, old.options);
    end if;
  else
    new.options := '[]';
  end if;
  new.currency := case when new.type = 'money' then coalesce(new.currency, 'GBP') end;
  if v_isback and new.retired_at is null then
    perform pg_advisory_xact_lock(hashtextextended('custom_fields ' || new.brand_id || coalesce(new."table", ''), 0));
    if (select count(*) from public.custom_fields f
        where f.brand_id = new.brand_id and f."table" = new."table" and f.retired_at is null and f.id <> new.id) >= 50 then
      raise exception 'The % of a brand have at most 50 fields of their own. Retire one first.', new."table" using errcode = '54000';
    end if;
  end if;
  if tg_op = 'INSERT' and (select count(*) from public.custom_fields f where f.brand_id = new.brand_id and f."table" = new."table") >= 200 then
    raise exception 'The % of a brand have at most 200 fields of their own, with those that were retired.', new."table" using errcode = '54000';
  end if;
  if new.position is null then
    new.position := 1 + coalesce((select floor(max(f.position)) from public.custom_fields f where f.brand_id = new.brand_id and f."table" = new."table"), 0);
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.custom_fields for each row execute function private.tidy_custom_field();

call private.keep_in_sync('public.custom_fields');

insert into private.list_orders (table_name, order_name, place, expression, type, descending, is_required) values
  ('custom_fields', 'position', 1, 'r.position', 'numeric', false, true);

revoke all on public.custom_fields from public, anon, authenticated;
grant select on public.custom_fields to authenticated;
grant insert (id, brand_id, "table", key, label, type, options, currency, position, required, retired_at),
  update (label, options, currency, position, required, retired_at) on public.custom_fields to authenticated;
grant select, insert, update, delete on public.custom_fields to service_role;

alter table public.custom_fields enable row level security;
create policy "members see the fields of their brands" on public.custom_fields for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "admins and owners add fields" on public.custom_fields for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "admins and owners change fields" on public.custom_fields for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "the secret key sees every field" on public.custom_fields to service_role using (true);

-- VALUES

alter table public.contacts add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
alter table public.companies add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
alter table public.deals add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
grant insert (custom), update (custom) on public.contacts, public.companies, public.deals to authenticated;

-- Equality, brand first. Records without values are not in it.
create index contacts_by_custom_idx on public.contacts using gin (brand_id, custom jsonb_path_ops) where custom <> '{}';
create index companies_by_custom_idx on public.companies using gin (brand_id, custom jsonb_path_ops) where custom <> '{}';
create index deals_by_custom_idx on public.deals using gin (brand_id, custom jsonb_path_ops) where custom <> '{}';

-- The value as it is stored; null where nothing is left of it. Raises a sentence with the field's label where it is no value of
-- the field's type.
create function private.custom_value(p_field public.custom_fields, p_value jsonb) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_kind text := jsonb_typeof(p_value);
  v_text text := private.trimmed(p_value #>> '{}');
  v_number numeric;
  v_most integer;
  v_ids text[];
begin
  case p_field.type
    when 'text', 'long_text' then
      v_most := case p_field.type when 'text' then 500 else 5000 end;
      if v_kind <> 'string' or length(v_text) > v_most then
        raise exception 'The field "%" takes a text of at most % characters.', p_field.label, v_most using errcode = '22023';
      end if;
      return to_jsonb(v_text);
    when 'number', 'money' then
      v_most := case p_field.type when 'number' then 6 else 2 end;
      if v_kind = 'number' then
        v_number := trim_scale((p_value #>> '{}')::numeric);
      end if;
      if v_number is null or abs(v_number) >= 1e12 or scale(v_number) > v_most then
        raise exception 'The field "%" takes a number below 1,000,000,000,000 with at most % decimals.', p_field.label, v_most
          using errcode = '22023';
      end if;
      return to_jsonb(v_number);
    when 'date' then
      begin
        if v_kind = 'string' and v_text ~ '^\d{4}-\d\d-\d\d$' and v_text >= '0001' and v_text::date is not null then
          return to_jsonb(v_text);
        elsif v_kind = 'string' and v_text is null then
          return null;
        end if;
      exception when data_exception then
        null;
      end;
      raise exception 'The field "%" takes a date such as 2026-11-23.', p_field.label using errcode = '22023';
    when 'yes_no' then
      if v_kind <> 'boolean' then
        raise exception 'The field "%" takes true or false.', p_field.label using errcode = '22023';
      end if;
      return p_value;
    when 'choice' then
      if v_kind = 'string' and p_value #>> '{}' = '' then
        return null;
      elsif v_kind <> 'string' or not p_field.options @> jsonb_build_array(jsonb_build_object('id', p_value)) then
        raise exception 'The field "%" takes the id of one of its options.', p_field.label using errcode = '22023';
      end if;
      return p_value;
    when 'choices' then
      if v_kind = 'array' then
        -- In the order of the options, each once.
        select array_agg(o.option ->> 'id' order by o.place) into v_ids
        from jsonb_array_elements(p_field.options) with ordinality o (option, place) where p_value @> jsonb_build_array(o.option -> 'id');
      end if;
      if v_kind <> 'array' or not to_jsonb(coalesce(v_ids, '{}')) @> p_value then
        raise exception 'The field "%" takes a list of ids of its options.', p_field.label using errcode = '22023';
      end if;
      return to_jsonb(v_ids);
    when 'link' then
      if v_kind <> 'string' or length(v_text) > 2000 or v_text !~* '^https?://[^\s/?#]+\S*$' then
        raise exception 'The field "%" takes an address that begins with http:// or https://.', p_field.label using errcode = '22023';
      end if;
      return to_jsonb(v_text);
  end case;
end
$$;

-- A write of `custom` is a merge patch (RFC 7396, one level): it sets its keys, a key with null is removed, the others stay. So
-- patches of different fields commute. It runs with the caller's rights: a field of a brand that the caller does not see is unknown.
create function private.merge_custom() returns trigger
language plpgsql
as $$
declare
  v_most constant integer := 8192;
  v_patch jsonb := new.custom;
  v_merged jsonb := case when tg_op = 'UPDATE' then old.custom else '{}' end;
  v_key text;
  v_value jsonb;
  v_field public.custom_fields;
begin
  if tg_op = 'INSERT' and coalesce(current_setting('private.restoring', true), '') <> '' then
    -- As it was. A row that was deleted before there were fields has none.
    new.custom := coalesce(v_patch, '{}');
    return new;
  end if;
  if jsonb_typeof(v_patch) is distinct from 'object' then
    raise exception 'custom is an object: ids of fields with their values.' using errcode = '22023';
  end if;
  if octet_length(v_patch::text) > 65536 or (select count(*) from jsonb_object_keys(v_patch)) > 200 then
    raise exception 'The fields of a record hold at most 8 kB together.' using errcode = '54000';
  end if;
  for v_key, v_value in select * from jsonb_each(v_patch) loop
    if v_value <> 'null' then
      select * into v_field from public.custom_fields f
      where f.brand_id = new.brand_id and f."table" = tg_table_name
        and f.id = case when v_key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then v_key::uuid end;
      if not found then
        raise exception 'There is no field % for %.', left(v_key, 60), tg_table_name using errcode = '22023';
      end if;
      v_value := private.custom_value(v_field, v_value);
    end if;
    v_merged := case when coalesce(v_value, 'null') = 'null' then v_merged - v_key else v_merged || jsonb_build_object(v_key, v_value) end;
  end loop;
  if octet_length(v_merged::text) > v_most then
    raise exception 'The fields of a record hold at most 8 kB together.' using errcode = '54000';
  end if;
  new.custom := v_merged;
  return new;
end
$$;

-- Writes of other columns do not pay for it.
create trigger add_custom before insert on public.contacts for each row
  when (new.custom is distinct from '{}') execute function private.merge_custom();
create trigger merge_custom before update of custom on public.contacts for each row
  when (new.custom is distinct from old.custom) execute function private.merge_custom();
create trigger add_custom before insert on public.companies for each row
  when (new.custom is distinct from '{}') execute function private.merge_custom();
create trigger merge_custom before update of custom on public.companies for each row
  when (new.custom is distinct from old.custom) execute function private.merge_custom();
create trigger add_custom before insert on public.deals for each row
  when (new.custom is distinct from '{}') execute function private.merge_custom();
create trigger merge_custom before update of custom on public.deals for each row
  when (new.custom is distinct from old.custom) execute function private.merge_custom();

-- FILTERS

-- The condition of one field of a row called r. Numbers are compared as numbers, texts and days by their characters; a value of
-- another kind does not match. `has`: a list in the record that contains this value, or one of these.
create function private.custom_condition(p_field text, p_condition jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_operators constant jsonb := '{"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}';
  -- The first condition is for the index.
  v_any constant text := '(r.custom <> ''{}'' and (%s))';
  v_parts text[] := '{}';
  v_key text;
  v_value jsonb;
begin
  if p_field !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    raise exception 'A field in p_queries is called custom. and its id.' using errcode = '22023';
  end if;
  case jsonb_typeof(p_condition)
    when 'null' then
      return format('not r.custom ? %L', p_field);
    when 'array' then
      if jsonb_array_length(p_condition) > 200 then
        raise exception 'A list of values of a field in p_queries holds at most 200.' using errcode = '22023';
      end if;
      return format(v_any, coalesce((
        select string_agg(format('r.custom @> %L', jsonb_build_object(p_field, e.value)), ' or ') from jsonb_array_elements(p_condition) e (value)
      ), 'false'));
    when 'object' then
      for v_key, v_value in select * from jsonb_each(p_condition) loop
        if v_key = 'not' and v_value = 'null' then
          v_parts := v_parts || format('r.custom ? %L', p_field);
        elsif v_key = 'has' and jsonb_typeof(v_value) in ('string', 'array') then
          v_parts := v_parts || private.custom_condition(p_field, (
            select coalesce(jsonb_agg(jsonb_build_array(e.value)), '[]')
            from jsonb_array_elements(case jsonb_typeof(v_value) when 'array' then v_value else jsonb_build_array(v_value) end) e (value)
          ));
        elsif v_operators ? v_key and jsonb_typeof(v_value) = 'number' then
          v_parts := v_parts || format('case when jsonb_typeof(r.custom -> %1$L) = ''number'' then (r.custom ->> %1$L)::numeric %2$s %3$L else false end',
            p_field, v_operators ->> v_key, v_value #>> '{}');
        elsif v_operators ? v_key and jsonb_typeof(v_value) = 'string' then
          v_parts := v_parts || format('case when jsonb_typeof(r.custom -> %1$L) = ''string'' then (r.custom ->> %1$L) collate "C" %2$s %3$L else false end',
            p_field, v_operators ->> v_key, v_value #>> '{}');
        else
          raise exception 'A condition of a field in p_queries knows gt, gte, lt, lte, has and "not": null.' using errcode = '22023';
        end if;
      end loop;
      return coalesce(nullif(array_to_string(v_parts, ' and '), ''), 'true');
    else
      return format(v_any, format('r.custom @> %L', jsonb_build_object(p_field, p_condition)));
  end case;
end
$$;

-- `where` of a query, and p_search of search_filters, as SQL over a row called r; $1 is the brand. A key custom.<id> is a field.
create or replace function private.query_filter(p_table text, p_query jsonb, p_search text) returns text
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
    if v_key like 'custom.%' and p_table in ('contacts', 'companies', 'deals') then
      v_parts := v_parts || private.custom_condition(substr(v_key, 8), v_condition);
      continue;
    end if;
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

revoke execute on all functions in schema private from public;
grant execute on function private.field_options(jsonb, jsonb), private.field_key(uuid, text, text),
  private.custom_value(public.custom_fields, jsonb), private.without_accents(text) to authenticated, service_role;

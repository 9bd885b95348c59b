-- A contact that is added by its address, or imported: an address with an invisible character is refused, a name of nothing
-- else counts as none.

create or replace function private.contact_problem(p_email text, p_first text, p_last text, p_company text) returns text
language sql immutable
as $$
  select case
    when p_email is null then 'Email is required'
    when length(p_email) not between 3 and 320 or p_email !~ '^[^@]+@[^@]+$'
      then 'An email has 3 to 320 characters and one @ inside'
    when private.has_invisible(p_email) then 'The email has an invisible character in it. Type it again by hand.'
    when length(p_first) > 200 then 'The first name is longer than 200 characters'
    when length(p_last) > 200 then 'The last name is longer than 200 characters'
    when length(p_company) > 200 then 'The company name is longer than 200 characters'
  end
$$;

create or replace function private.put_contact(
  p_brand_id uuid, p_email text, p_first text, p_last text, p_company text, p_id uuid, p_import_id uuid,
  out id uuid, out status text
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_email text := private.trimmed(p_email);
  -- A variable of the column's collation, so that the index serves.
  v_email_norm text := lower(v_email collate "und-x-icu");
  v_first text := private.named(p_first);
  v_last text := private.named(p_last);
  v_company text := private.named(p_company);
  v_problem text := private.contact_problem(v_email, v_first, v_last, v_company);
  v_company_id uuid;
  v_known public.contacts;
begin
  if v_problem is not null then
    raise exception '%', v_problem using errcode = '22023';
  end if;
  if v_company is not null then
    v_company_id := private.company_named(p_brand_id, v_company);
  end if;
  -- Again from the start where somebody else was faster with this address, or deletes it meanwhile.
  loop
    select * into v_known from public.contacts c
    where c.brand_id = p_brand_id and c.email_norm = v_email_norm;
    if not found then
      insert into public.contacts as c (brand_id, id, email, first_name, last_name, company_id, import_id, owner_id)
      values (
        p_brand_id, coalesce(p_id, gen_random_uuid()), v_email, v_first, v_last, v_company_id, p_import_id,
        case when p_import_id is null and p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end
      )
      on conflict (brand_id, email_norm) do nothing
      returning c.id into id;
      status := 'created';
    elsif (v_first is not null and v_known.first_name is distinct from v_first)
      or (v_last is not null and v_known.last_name is distinct from v_last)
      or (v_company_id is not null and v_known.company_id is distinct from v_company_id)
    then
      update public.contacts c
      set first_name = coalesce(v_first, c.first_name),
          last_name = coalesce(v_last, c.last_name),
          company_id = coalesce(v_company_id, c.company_id)
      where c.brand_id = p_brand_id and c.id = v_known.id
      returning c.id into id;
      status := 'updated';
    else
      id := v_known.id;
      status := 'unchanged';
    end if;
    exit when id is not null;
  end loop;
end
$$;

create or replace function private.parse_import(p_rows jsonb)
returns table (place integer, data jsonb, email text, email_norm text, first_name text, last_name text, company text)
language sql immutable set search_path = ''
as $$
  select e.place::integer, e.data, t.email, lower(t.email collate "und-x-icu"), private.named(e.data ->> 'first_name'),
    private.named(e.data ->> 'last_name'), private.named(e.data ->> 'company')
  from jsonb_array_elements(p_rows) with ordinality e (data, place)
  cross join lateral (select private.trimmed(e.data ->> 'email') as email) t
$$;

create or replace function public.quick_create_deal(p_brand_id uuid, p_name text, p_stage_id uuid, p_id uuid default null) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  perform private.assert_member(p_brand_id);
  if private.named(p_name) is null then
    raise exception 'Deal name is required' using errcode = '22023';
  end if;
  insert into public.deals as d (brand_id, id, name, owner_id, stage_id)
  values (
    p_brand_id,
    coalesce(p_id, gen_random_uuid()),
    p_name,
    case when p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end,
    coalesce(p_stage_id, (
      select s.id from public.deal_stages s where s.brand_id = p_brand_id order by s.position, s.id limit 1
    ))
  )
  returning d.id into v_id;
  return v_id;
end
$$;

-- A company without a name is refused in words. The refusal of the check named the whole row.

-- As before, with the check of the name.
create or replace function public.add_company(
  p_brand_id uuid, p_name text, p_domain text default null, p_phone text default null, p_website text default null,
  p_notes text default null, p_owner_id uuid default null, p_id uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_name text := private.name_or_null(p_name);
  v_id uuid;
begin
  perform private.assert_member(p_brand_id);
  if v_name is null then
    raise exception 'Company name is required' using errcode = '22023';
  end if;
  perform private.lock_companies(p_brand_id);
  select c.id into v_id from public.companies c
  where c.brand_id = p_brand_id and (c.id = p_id or lower(c.name) = lower(v_name collate "und-x-icu"))
  -- One that this request has made before.
  order by c.id is not distinct from p_id desc, c.created_at, c.id limit 1;
  if found then
    update public.companies c
    set domain = coalesce(c.domain, private.trimmed(p_domain)),
        phone = coalesce(c.phone, private.trimmed(p_phone)),
        website = coalesce(c.website, private.trimmed(p_website)),
        notes = coalesce(c.notes, private.trimmed(p_notes))
    where c.brand_id = p_brand_id and c.id = v_id and (
      c.domain is null and private.trimmed(p_domain) is not null or c.phone is null and private.trimmed(p_phone) is not null
      or c.website is null and private.trimmed(p_website) is not null or c.notes is null and private.trimmed(p_notes) is not null
    );
    return v_id;
  end if;
  insert into public.companies (brand_id, id, name, domain, phone, website, notes, owner_id)
  values (
    p_brand_id, coalesce(p_id, gen_random_uuid()), p_name, private.trimmed(p_domain), private.trimmed(p_phone), private.trimmed(p_website),
    private.trimmed(p_notes), p_owner_id
  )
  returning id into v_id;
  return v_id;
end
$$;

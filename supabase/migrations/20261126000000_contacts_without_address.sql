-- Contacts that can be called but have no e-mail address: the lead who rang. A contact is added with an address (upsert_contact)
-- or with a phone number (add_contact_by_phone). Phone numbers identify nobody: two people share one, so nothing is merged by them.

-- What is wrong with a contact without an address, or null. Texts are trimmed. The names have the rules of contact_problem.
create function private.phone_contact_problem(p_phone text, p_first text, p_last text, p_title text, p_company text) returns text
language sql immutable
as $$
  select case
    when p_phone is null then 'Email is required'
    when length(p_phone) > 50 then 'The phone number is longer than 50 characters'
    when length(p_title) > 200 then 'The title is longer than 200 characters'
    else private.contact_problem('a@b', p_first, p_last, p_company)
  end
$$;

-- Adds a contact without an address; returns its id. It belongs to the caller. `p_id` is its id. Without a phone number
-- 'Email is required'. The company: as in upsert_contact.
create function public.add_contact_by_phone(
  p_brand_id uuid, p_phone text, p_first text default null, p_last text default null, p_title text default null,
  p_company_name text default null, p_id uuid default null
) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_phone text := private.trimmed(p_phone);
  v_first text := private.name_or_null(p_first);
  v_last text := private.name_or_null(p_last);
  v_title text := private.trimmed(p_title);
  v_company text := private.name_or_null(p_company_name);
  v_problem text := private.phone_contact_problem(v_phone, v_first, v_last, v_title, v_company);
  v_id uuid;
begin
  perform private.assert_member(p_brand_id);
  if v_problem is not null then
    raise exception '%', v_problem using errcode = '22023';
  end if;
  insert into public.contacts as c (brand_id, id, phone, first_name, last_name, title, company_id, owner_id)
  values (
    p_brand_id,
    coalesce(p_id, gen_random_uuid()),
    v_phone,
    v_first,
    v_last,
    v_title,
    case when v_company is not null then private.find_or_create_company(p_brand_id, v_company) end,
    case when p_brand_id = any (array(select private.my_brand_ids())) then private.caller_id() end
  )
  returning c.id into v_id;
  return v_id;
end
$$;

revoke execute on function private.phone_contact_problem(text, text, text, text, text) from public;
revoke execute on function public.add_contact_by_phone(uuid, text, text, text, text, text, uuid) from public, anon, authenticated;
grant execute on function public.add_contact_by_phone(uuid, text, text, text, text, text, uuid) to authenticated, service_role;

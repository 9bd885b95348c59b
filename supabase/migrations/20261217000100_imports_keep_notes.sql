-- Undoing an import deletes no contact and no company that somebody wrote a note about: the note would go with it.

-- Whether a deal, a task or a note names a contact.
create or replace function private.is_named(p_contact public.contacts) returns boolean
language sql stable
as $$
  select exists (select from public.deals d where d.brand_id = p_contact.brand_id and d.contact_id = p_contact.id)
    or exists (select from public.deal_contacts c where c.brand_id = p_contact.brand_id and c.contact_id = p_contact.id)
    or exists (select from public.tasks t where t.brand_id = p_contact.brand_id and t.contact_id = p_contact.id)
    or exists (select from public.notes n where n.brand_id = p_contact.brand_id and n.contact_id = p_contact.id)
$$;

-- Whether a contact, a deal or a note names a company.
create or replace function private.is_used(p_company public.companies) returns boolean
language sql stable
as $$
  select exists (select from public.contacts c where c.brand_id = p_company.brand_id and c.company_id = p_company.id)
    or exists (select from public.deals d where d.brand_id = p_company.brand_id and d.company_id = p_company.id)
    or exists (select from public.notes n where n.brand_id = p_company.brand_id and n.company_id = p_company.id)
$$;

-- upsert_contact and add_contact_by_phone find a company by its name. If a colleague deletes this company before the contact is written, the contact
-- gets the company that has the name now, or a new one. Before, the foreign key refused the contact.

-- Locks the company that a contact refers to, as the foreign key does later. The lock waits for a delete that is not committed. If the company is
-- deleted, its name is in its tombstone. If there is no tombstone, the foreign key refuses the row.
create function private.replace_deleted_company() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_name text;
begin
  loop
    perform from public.companies c where c.brand_id = new.brand_id and c.id = new.company_id for key share;
    exit when found;
    select t.row_data ->> 'name' into v_name from private.tombstones t
    where t.brand_id = new.brand_id and t.table_name = 'companies' and t.row_id = new.company_id;
    exit when v_name is null;
    new.company_id := private.find_or_create_company(new.brand_id, v_name);
  end loop;
  return new;
end
$$;
revoke execute on function private.replace_deleted_company() from public;

-- Only for what functions of the owner role write in a request: a request that writes the id of a deleted company itself is refused, and so is an
-- operator's script. Not for these inserts: a restored contact loses such a link (without_lost_links), and a chunk of an import that is refused is
-- saved again row by row, so that imports need not pay for the lock of each row. A company that stays the same is not locked: a delete locks the
-- company before its contacts, so that it would wait for this transaction, and this transaction for the delete.
create trigger replace_deleted_company before insert on public.contacts for each row
  when (
    new.company_id is not null and new.import_id is null and current_setting('role') not in ('none', current_user)
    and coalesce(current_setting('private.restoring', true), '') = ''
  )
  execute function private.replace_deleted_company();
create trigger replace_deleted_company_of_known before update of company_id on public.contacts for each row
  when (
    new.company_id is not null and new.company_id is distinct from old.company_id
    and current_setting('role') not in ('none', current_user)
  )
  execute function private.replace_deleted_company();

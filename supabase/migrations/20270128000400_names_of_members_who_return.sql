-- A person who is added again, or accepts another invitation, has the display name of the time before. Before, the name was the beginning of the
-- person's e-mail address, also in old history.

-- Runs before `tidy`, whose name comes later in the alphabet, and which sets a missing name. `keep_name` then deletes the former name.
create function private.take_former_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  select f.display_name into new.display_name from private.former_members f where f.brand_id = new.brand_id and f.user_id = new.user_id;
  return new;
end
$$;
revoke execute on function private.take_former_name() from public;

create trigger take_former_name before insert on public.memberships for each row
  when (new.display_name is null) execute function private.take_former_name();

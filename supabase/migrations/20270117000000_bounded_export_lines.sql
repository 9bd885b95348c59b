-- The audit log of a brand has at most one line per hour for the exports of a person. Before, each call of export_my_data from the beginning added a
-- line to each of the caller's brands, so that a person could fill the log.

-- Skips the line of an export if the log has one of the last hour. The second of two simultaneous exports waits here for the first.
create function private.skip_repeated_export() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- One lock per person, not per brand: two exports could add their lines in a different order of the brands, and wait for each other for ever.
  perform pg_advisory_xact_lock(hashtextextended('export ' || new.user_id, 0));
  if exists (
    select from private.brand_events e
    where e.brand_id = new.brand_id and e.at > new.at - interval '1 hour' and e.event = new.event and e.user_id = new.user_id
  ) then
    return null;
  end if;
  return new;
end
$$;
create trigger skip_repeated_export before insert on private.brand_events
  for each row when (new.event = 'data_exported') execute function private.skip_repeated_export();

revoke execute on all functions in schema private from public;

-- What happened to accounts, in Supabase's shape: nobody changes or removes a line, whatever their rights on the table,
-- before it is a year old.
create table auth.audit_log_entries (
  instance_id uuid,
  id uuid primary key default gen_random_uuid(),
  payload json,
  created_at timestamptz not null default clock_timestamp(),
  ip_address varchar(64) not null default ''
);
create index audit_log_entries_actor_idx on auth.audit_log_entries ((payload ->> 'actor_id'), created_at);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at);

create function auth.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '1 year' then
    return old;
  end if;
  raise exception 'The audit log is only ever added to.' using errcode = '42501';
end
$$;
create trigger keep before update or delete on auth.audit_log_entries for each row execute function auth.keep_audit_log();
create trigger keep_all before truncate on auth.audit_log_entries for each statement execute function auth.keep_audit_log();

revoke execute on function auth.keep_audit_log() from public;

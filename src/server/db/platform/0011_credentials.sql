-- A one-time token opens only what it was made for: an account as it was, with this address and this password. Each row keeps a
-- digest of both, and every change of password, address or second factor takes the user's tokens away in the same transaction,
-- whoever makes the change.

create function auth.credentials_digest(p_user_id uuid) returns text
language sql stable set search_path = ''
as $$
  select encode(sha256(convert_to(
    coalesce(u.email, '') || E'\n' || coalesce(nullif(u.encrypted_password, ''), ''), 'UTF8')), 'base64')
  from auth.users u where u.id = p_user_id
$$;

alter table auth.one_time_tokens add column made_for text;

-- Of the tokens that are there nobody knows what they were made for. Only a sign-up that still waits keeps its link.
delete from auth.one_time_tokens t
where not exists (
  select from auth.users u
  where u.id = t.user_id and u.email_confirmed_at is null and t.token_type = 'confirmation_token' and t.relates_to = u.email);
update auth.one_time_tokens t set made_for = auth.credentials_digest(t.user_id);

-- The tokens of a user, and the address that waits for two links: all of it was asked for with the old credentials.
create function auth.forget_one_time_tokens(p_user_id uuid) returns void
language sql volatile set search_path = ''
as $$
  delete from auth.one_time_tokens t where t.user_id = p_user_id;
  update auth.users u set email_change = '', email_change_confirm_status = 0
  where u.id = p_user_id and coalesce(u.email_change, '') <> ''
$$;

create function auth.on_credentials_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.email is distinct from old.email
    or coalesce(new.encrypted_password, '') <> coalesce(old.encrypted_password, '')
    or coalesce(new.banned_until > now(), false) and not coalesce(old.banned_until > now(), false)
  then
    perform auth.forget_one_time_tokens(new.id);
  elsif old.email_confirmed_at is null and new.email_confirmed_at is not null then
    delete from auth.one_time_tokens t where t.user_id = new.id and t.token_type = 'confirmation_token';
  end if;
  return null;
end
$$;
create trigger credentials_changed after update of email, encrypted_password, email_confirmed_at, banned_until on auth.users
  for each row execute function auth.on_credentials_changed();

-- A factor that begins to count or goes. One that still waits for its first code opens nothing.
create function auth.on_factor_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform auth.forget_one_time_tokens(old.user_id);
  else
    perform auth.forget_one_time_tokens(new.user_id);
  end if;
  return null;
end
$$;
create trigger factor_counts after insert on auth.mfa_factors
  for each row when (new.status = 'verified') execute function auth.on_factor_changed();
create trigger factor_changed after update of status, secret, phone, factor_type on auth.mfa_factors
  for each row when ((new.status, new.secret, new.phone, new.factor_type)
    is distinct from (old.status, old.secret, old.phone, old.factor_type))
  execute function auth.on_factor_changed();
create trigger factor_gone after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function auth.on_factor_changed();

-- Recovery codes that are made anew or spent. Where the whole set goes, its factor has gone with it.
create function auth.on_recovery_codes_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform auth.forget_one_time_tokens(f.user_id)
  from (select distinct c.factor_id from changed c) c join auth.mfa_factors f on f.id = c.factor_id;
  return null;
end
$$;
create trigger codes_made after insert on auth.mfa_recovery_codes
  referencing new table as changed for each statement execute function auth.on_recovery_codes_changed();
create trigger code_spent after update on auth.mfa_recovery_codes
  referencing new table as changed for each statement execute function auth.on_recovery_codes_changed();

revoke execute on function auth.credentials_digest(uuid), auth.forget_one_time_tokens(uuid), auth.on_credentials_changed(),
  auth.on_factor_changed(), auth.on_recovery_codes_changed() from public;

-- The product's log asks for what somebody's sessions did. Failed sign-ins belong to none, and anybody can add to them.
create index audit_log_entries_session_idx on auth.audit_log_entries ((payload ->> 'session_id'), created_at);

-- Sessions end: the sweep of those that have ended asks by this time.
create index sessions_not_after_idx on auth.sessions (not_after);

-- When a session ends that began and was last seen then: so many days after it was last seen, so many in all; 0: never.
create function auth.session_end(p_began timestamptz, p_seen timestamptz, p_idle_days integer, p_max_days integer)
returns timestamptz
language sql stable
as $$
  select least(p_began + make_interval(days => nullif(p_max_days, 0)), p_seen + make_interval(days => nullif(p_idle_days, 0)))
$$;
revoke execute on function auth.session_end(timestamptz, timestamptz, integer, integer) from public;

-- A session that is being ended makes no calendar address that outlives it.

-- Makes the caller's address: answers its secret, this once. The one before stops working.
create or replace function public.make_calendar_feed() returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_session uuid := (auth.jwt() ->> 'session_id')::uuid;
  v_secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  -- Who ends this session at the same time waits for the address, and ends it, too; or the session is gone here.
  perform from auth.sessions s where s.id = v_session and s.user_id = v_caller for key share;
  if not found then
    raise exception 'NOT_AUTHORIZED';
  end if;
  insert into private.calendar_feeds as f (user_id, secret_hash, session_id, made_for)
  values (v_caller, sha256(convert_to(v_secret, 'UTF8')), v_session, private.password_digest(v_caller))
  on conflict (user_id) do update
  set secret_hash = excluded.secret_hash, made_at = now(), session_id = excluded.session_id, made_for = excluded.made_for, ended_at = null;
  return v_secret;
end
$$;

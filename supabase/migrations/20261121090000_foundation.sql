-- The ground that every chapter stands on: the schema of what callers cannot reach, who calls, and what a text is.
-- Each chapter holds one domain: its table, indexes, grants, row security, policies and functions.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;

-- Not served by the API. `usage` lets policies call the few helpers that are granted; nothing else in it is reachable.
create schema private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- Who calls: the user of the token while the session behind it lives, else null. A token outlives its session by up to an
-- hour; asking here makes a sign-out, or a removed account, count at once.
create function private.caller_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select s.user_id
  from auth.sessions s
  where s.id = (auth.jwt() ->> 'session_id')::uuid
    and s.user_id = auth.uid()
    and (s.not_after is null or s.not_after > now())
$$;

-- Whether the secret key calls: an operator's own script, which may do everything.
create function private.is_service() returns boolean
language sql stable set search_path = ''
as $$
  select coalesce(auth.role() = 'service_role', false)
$$;

-- Without the white space at both ends, as JavaScript's trim() has it, so that both sides agree in every locale; null where
-- nothing is left. It runs for every text written, so: no search_path is set, which lets it melt into the expressions that
-- call it, and a text that begins and ends with a printable ASCII character is known at a glance.
create function private.trimmed(p_text text) returns text
language sql immutable parallel safe
as $$
  select case
    when pg_catalog.ascii(p_text) between 33 and 126 and pg_catalog.ascii(pg_catalog.right(p_text, 1)) between 33 and 126 then p_text
    else nullif(pg_catalog.btrim(p_text, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'), '')
  end
$$;

-- A pattern for `like` that finds the text anywhere; % _ and \ mean themselves.
create function private.anywhere(p_text text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select '%' || regexp_replace(lower(normalize(p_text, nfc) collate "und-x-icu"), '([%_\\])', '\\\1', 'g') || '%'
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.caller_id(), private.is_service(), private.trimmed(text) to authenticated, service_role;

-- What every chapter uses: the schema `private`, who the caller is, what counts as text, and how large an answer may be.
-- Each chapter holds one domain: its tables, indexes, rights, row security, policies, triggers and functions.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;

-- The API does not serve this schema. `usage` lets policies and triggers call the few functions that are granted.
create schema private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- Functions with `security definer` are written in PL/pgSQL, which keeps plans: before version 18, PostgreSQL plans a function
-- in SQL again at every call. A function in SQL is inlined only if it has neither `security definer` nor `set`.

-- THE CALLER

-- Whether the caller uses the secret key: an operator's own script, which may do everything.
create function private.is_service() returns boolean
language plpgsql stable
as $$
begin
  return coalesce(auth.role() = 'service_role', false);
end
$$;

-- How well the caller's session is proved.
-- 2: two factors. Both the token and the row of the session say so: the row loses the level when the factor is removed.
-- 1: a password, and the user has no verified factor.
-- 0: a password, and the user has a factor that is still to be proved.
-- Null: the session has ended. A token lives up to an hour longer than its session, so a sign-out counts at once.
create function private.session_level() returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
  v_level integer;
begin
  select case
    when s.aal::text in ('aal2', 'aal3') and v_claims ->> 'aal' in ('aal2', 'aal3') then 2
    when exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified') then 0
    else 1
  end into v_level
  from auth.sessions s
  where s.id = (v_claims ->> 'session_id')::uuid and s.user_id = (v_claims ->> 'sub')::uuid
    and (s.not_after is null or s.not_after > now());
  return v_level;
end
$$;

-- The user of the token, or null where the session has ended. It does not ask how well the session is proved.
create function private.caller_id() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.session_level() is null then
    return null;
  end if;
  return auth.uid();
end
$$;

-- Raises SESSION_ENDED where the token is valid but its session has ended. Row security alone would let a write of such a
-- caller affect no row, which looks like success. The device has to keep the write until the next sign-in instead.
create function private.assert_session() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if auth.uid() is not null and private.caller_id() is null then
    raise exception 'SESSION_ENDED' using errcode = 'PT401';
  end if;
end
$$;

-- The caller, for functions about their own account. Raises NOT_AUTHORIZED, and SECOND_FACTOR_REQUIRED where only the password
-- of a user with a second factor was proved.
create function private.proved_caller() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_level integer := private.session_level();
begin
  if v_level is null then
    raise exception 'NOT_AUTHORIZED';
  elsif v_level = 0 then
    raise exception 'SECOND_FACTOR_REQUIRED' using errcode = 'BY003';
  end if;
  return auth.uid();
end
$$;

-- TEXT

-- The text without white space at both ends, as JavaScript's trim() does it in every locale; null where nothing is left.
-- It runs for every text written: it can be inlined, and a text with printable ASCII at both ends takes the short way.
create function private.trimmed(p_text text) returns text
language sql immutable parallel safe
as $$
  select case
    when pg_catalog.ascii(p_text) between 33 and 126 and pg_catalog.ascii(pg_catalog.right(p_text, 1)) between 33 and 126 then p_text
    else nullif(pg_catalog.btrim(p_text, U&'\0009\000A\000B\000C\000D\0020\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF'), '')
  end
$$;

-- Unicode's default-ignorable code points, as the inside of a bracket of a regular expression: zero-width characters, controls
-- of direction, the soft hyphen, the byte order mark, joiners, variation selectors, tags. Two addresses or names that look
-- the same and differ in these are how one person passes for another. Addresses with one are refused. Brands are compared
-- without them. Names of people lose those that shape nothing. Names of records keep them.
create function private.invisible_characters() returns text
language sql immutable parallel safe
as $$
  select '\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF'
$$;

create function private.has_invisible(p_text text) returns boolean
language sql immutable parallel safe
as $$
  select p_text operator(pg_catalog.~) ('[' || private.invisible_characters() || ']')
$$;

-- A name without white space at both ends; null where it has no visible character.
create function private.name_or_null(p_text text) returns text
language sql immutable parallel safe
as $$
  select case
    when pg_catalog.ascii(p_text) between 33 and 126
      or p_text operator(pg_catalog.~) ('[^\u0009-\u000D\u0020\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000' || private.invisible_characters() || ']')
    then private.trimmed(p_text)
  end
$$;

-- The same for a column that needs a name: no visible character gives '', which the column's check refuses (23514); null stays
-- null, which `not null` refuses (23502).
create function private.required_name(p_text text) returns text
language sql immutable parallel safe
as $$
  select case when p_text is not null then coalesce(private.name_or_null(p_text), '') end
$$;

-- A person's name without invisible characters, except those that shape a script or an emoji: a joiner between two letters of
-- a joining script (Persian, Malayalam, …) or two emoji; a variation selector after an emoji, an ideograph or a keycap digit.
create function private.clean_display_name(p_text text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_joining constant text := '\u0600-\u1DFF\u2190-\u2BFF\uA800-\uABFF\uFB50-\uFDFF\uFE0F\uFE70-\uFEFC\U00010A00-\U00011FFF\U0001F000-\U0001FAFF';
  v_varying constant text := '\u00A9\u00AE\u1000-\u109F\u1820-\u18AA\u203C-\u3163\u3165-\uFDFF\U00010000-\U0003FFFF';
  -- A joiner after a virama selects the shape of the letter, also at the end of a word.
  v_virama constant text := '\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u103A\u17D2';
  v_selector constant text := '\u180B-\u180D\u180F\uFE00-\uFE0F\U000E0100-\U000E01EF';
  v_joiner constant text := '\u200C\u200D';
  -- Puts U+0001 before each character to keep. Names never contain U+0001: it is removed first.
  v_kept constant text := '\1' || U&'\0001' || '\2';
  v_text text := p_text;
begin
  if private.has_invisible(v_text) then
    v_text := translate(v_text, U&'\0001', '');
    v_text := regexp_replace(v_text, '(?![' || v_selector || v_joiner || '])[' || private.invisible_characters() || ']', '', 'g');
    v_text := regexp_replace(v_text, '([' || v_varying || '])([' || v_selector || '])', v_kept, 'g');
    v_text := regexp_replace(v_text, '([0-9#*])(\uFE0F)(?=\u20E3)', v_kept, 'g');
    v_text := regexp_replace(v_text, '(?<!\u0001)[' || v_selector || ']', '', 'g');
    v_text := regexp_replace(v_text, '([' || v_joining || '])([' || v_joiner || '])(?=[' || v_joining || '])', v_kept, 'g');
    v_text := regexp_replace(v_text, '([' || v_virama || '])([' || v_joiner || '])', v_kept, 'g');
    v_text := regexp_replace(v_text, '(?<!\u0001)[' || v_joiner || ']', '', 'g');
    v_text := translate(v_text, U&'\0001', '');
  end if;
  return private.name_or_null(v_text);
end
$$;

-- For an address that somebody types. Raises a sentence that says what to do.
create function private.assert_no_invisible(p_email text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if private.has_invisible(p_email) then
    raise exception 'The email has an invisible character in it. Type it again by hand.' using errcode = '22023';
  end if;
end
$$;

-- A pattern for `like` that finds the text anywhere, without regard to case. The characters % _ and \ mean themselves.
create function private.like_pattern(p_text text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select '%' || regexp_replace(lower(normalize(p_text, nfc) collate "und-x-icu"), '([%_\\])', '\\\1', 'g') || '%'
$$;

-- THE SIZE OF ANSWERS

-- The most bytes of an answer that holds many records. Rows are limited where they are requested. An answer that cannot be
-- split raises SQLSTATE 54000 (413): the caller asks for fewer rows.
create function private.answer_bytes() returns integer
language sql immutable set search_path = ''
as $$
  select 16000000
$$;

create function private.assert_answer_size(p_bytes bigint) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_bytes > private.answer_bytes() then
    raise exception 'The answer is larger than % MB. Ask for fewer rows.', private.answer_bytes() / 1000000 using errcode = '54000';
  end if;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.is_service(), private.session_level(), private.caller_id(), private.trimmed(text),
  private.invisible_characters(), private.has_invisible(text), private.name_or_null(text), private.required_name(text)
  to authenticated, service_role;

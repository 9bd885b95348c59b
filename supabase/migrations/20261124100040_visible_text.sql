-- Characters that nobody sees: two names or addresses that look the same and are not are how somebody is taken for another.
-- Unicode calls them default-ignorable code points: zero-width ones, controls of direction, the soft hyphen, the byte order
-- mark, joiners, variation selectors, tags. Addresses with one are refused; brands are told apart without them; names of
-- people lose those that shape nothing. Names of records are kept as they were written, unless nothing of them is to be seen.

-- The inside of a bracket of a regular expression. (These functions melt into what calls them, like private.trimmed.)
create function private.invisible() returns text
language sql immutable parallel safe
as $$
  select '\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF'
$$;

create function private.has_invisible(p_text text) returns boolean
language sql immutable parallel safe
as $$
  select p_text operator(pg_catalog.~) ('[' || private.invisible() || ']')
$$;

-- A name without the white space at both ends; null where nothing is to be seen of it.
create function private.named(p_text text) returns text
language sql immutable parallel safe
as $$
  select case
    when pg_catalog.ascii(p_text) between 33 and 126
      or p_text operator(pg_catalog.~) ('[^\u0009-\u000D\u0020\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000' || private.invisible() || ']')
    then private.trimmed(p_text)
  end
$$;

-- The same where a name is demanded: a text of which nothing is to be seen is empty, which the column's check refuses (23514);
-- no text at all stays null, which its `not null` refuses (23502).
create function private.required(p_text text) returns text
language sql immutable parallel safe
as $$
  select case when p_text is not null then coalesce(private.named(p_text), '') end
$$;

-- What a person is called: without invisible characters, but for those that shape a script or a picture where they stand.
-- A joiner between two letters of a script that joins (Persian, Malayalam, …) or two pictures; a variation selector behind
-- a picture, an ideograph, or a digit that becomes a keycap.
create function private.display(p_text text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_joining constant text := '\u0600-\u1DFF\u2190-\u2BFF\uA800-\uABFF\uFB50-\uFDFF\uFE0F\uFE70-\uFEFC\U00010A00-\U00011FFF\U0001F000-\U0001FAFF';
  v_varying constant text := '\u00A9\u00AE\u1000-\u109F\u1820-\u18AA\u203C-\u3163\u3165-\uFDFF\U00010000-\U0003FFFF';
  -- Behind it a joiner says which shape the letter takes, also at the end of a word.
  v_virama constant text := '\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u103A\u17D2';
  v_selector constant text := '\u180B-\u180D\u180F\uFE00-\uFE0F\U000E0100-\U000E01EF';
  v_joiner constant text := '\u200C\u200D';
  -- Puts the mark before what is to be kept; no name has it.
  v_kept constant text := '\1' || U&'\0001' || '\2';
  v_text text := p_text;
begin
  if private.has_invisible(v_text) then
    v_text := translate(v_text, U&'\0001', '');
    v_text := regexp_replace(v_text, '(?![' || v_selector || v_joiner || '])[' || private.invisible() || ']', '', 'g');
    v_text := regexp_replace(v_text, '([' || v_varying || '])([' || v_selector || '])', v_kept, 'g');
    v_text := regexp_replace(v_text, '([0-9#*])(\uFE0F)(?=\u20E3)', v_kept, 'g');
    v_text := regexp_replace(v_text, '(?<!\u0001)[' || v_selector || ']', '', 'g');
    v_text := regexp_replace(v_text, '([' || v_joining || '])([' || v_joiner || '])(?=[' || v_joining || '])', v_kept, 'g');
    v_text := regexp_replace(v_text, '([' || v_virama || '])([' || v_joiner || '])', v_kept, 'g');
    v_text := regexp_replace(v_text, '(?<!\u0001)[' || v_joiner || ']', '', 'g');
    v_text := translate(v_text, U&'\0001', '');
  end if;
  return private.named(v_text);
end
$$;

-- For an address that somebody types. Raises a sentence that says what to do.
create function private.assert_visible(p_email text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if private.has_invisible(p_email) then
    raise exception 'The email has an invisible character in it. Type it again by hand.' using errcode = '22023';
  end if;
end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.invisible(), private.has_invisible(text), private.named(text), private.required(text)
  to authenticated, service_role;

-- Two brands whose names look the same have one slug. It is made when the name is: what a brand was called before keeps its own.
create or replace function private.tidy_brand() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.name is not distinct from old.name then
    new.slug := old.slug;
    return new;
  end if;
  new.name := private.required(new.name);
  new.slug := regexp_replace(
    regexp_replace(lower(new.name), '[' || private.invisible() || ']', '', 'g'), '[^[:alnum:]]+', '-', 'g');
  return new;
end
$$;

create or replace function private.tidy_membership() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.display_name := coalesce(
    private.display(new.display_name),
    (select private.display(left(split_part(u.email, '@', 1), 200)) from auth.users u where u.id = new.user_id),
    'Member'
  );
  return new;
end
$$;

create or replace function private.tidy_deal_stage() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required(new.name);
  if new.position is null then
    new.position := 1 + coalesce((select max(s.position) from public.deal_stages s where s.brand_id = new.brand_id), 0);
  end if;
  if new.kind is null then
    new.kind := case when lower(new.name) ~ '\mwon\M' then 'won' when lower(new.name) ~ '\mlost\M' then 'lost' else 'open' end;
  end if;
  return new;
end
$$;

create or replace function private.tidy_company() returns trigger
language plpgsql
as $$
begin
  new.name := private.required(new.name);
  new.domain := private.trimmed(new.domain);
  new.phone := private.trimmed(new.phone);
  new.website := private.trimmed(new.website);
  new.notes := private.trimmed(new.notes);
  return new;
end
$$;

create or replace function private.tidy_contact() returns trigger
language plpgsql
as $$
begin
  new.first_name := private.named(new.first_name);
  new.last_name := private.named(new.last_name);
  new.email := private.trimmed(new.email);
  -- Whatever is stored or comes back from the tombstones stays as it is.
  if (tg_op = 'INSERT' or new.email is distinct from old.email) and private.has_invisible(new.email)
    and coalesce(current_setting('private.restoring', true), '') = '' then
    raise exception 'The email has an invisible character in it. Type it again by hand.' using errcode = '22023';
  end if;
  new.email_norm := lower(new.email collate "und-x-icu");
  new.phone := private.trimmed(new.phone);
  new.title := private.trimmed(new.title);
  return new;
end
$$;

create or replace function private.tidy_deal() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.name := private.required(new.name);
  if tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id then
    if (select s.kind from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.stage_id) in ('won', 'lost') then
      new.closed_at := coalesce(new.closed_at, now());
    else
      new.closed_at := null;
    end if;
  end if;
  return new;
end
$$;

create or replace function private.tidy_task() returns trigger
language plpgsql
as $$
begin
  new.title := private.required(new.title);
  if new.status = 'open' then
    new.completed_at := null;
  elsif tg_op = 'INSERT' or old.status = 'open' then
    new.completed_at := coalesce(new.completed_at, now());
  end if;
  return new;
end
$$;

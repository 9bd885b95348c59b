-- Names of brands lose the characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069). With them a name can look like one
-- with other letters ('emcA' after U+202E looks like 'Acme'), and the rest of a sentence is reversed, also in mails. The marks U+200E and U+200F,
-- which names in Arabic or Hebrew may need, stay. A stored name keeps its characters until it is changed.
create function private.remove_direction_controls() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.name := translate(new.name, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', '');
  return new;
end
$$;
revoke execute on function private.remove_direction_controls() from public;
-- Runs before the trigger 'tidy', which refuses an empty name and makes the slug: triggers run in the order of their names.
create trigger remove_direction_controls before insert or update of name on public.brands
  for each row execute function private.remove_direction_controls();

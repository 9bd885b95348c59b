-- A phone number is found in the notation of its country and in that of others: +49 171, 0049 171, +49 (0)171 and 0171 find each
-- other, and so does a part that begins with an area code (030).

-- What follows the country code of an international number (ITU-T E.164, codes of one to three digits); the digits themselves where
-- they begin with none.
create function private.national_digits(p_digits text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return ltrim(regexp_replace(p_digits,
    '^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[035789]\d|9[679]\d)', ''), '0');
end
$$;

-- One condition for each of the first eight words of a typed text, on the column w.words. Phone numbers are found by their
-- digits, with or without the zeros before them, and international ones also without the country code.
create or replace function private.search_conditions(p_search text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_word text;
  v_forms text[];
  v_digits text;
  v_national text;
  v_conditions text[] := '{}';
  v_search text := p_search;
begin
  -- The parts of an international number are one word: up to nine.
  for i in 1..8 loop
    v_search := regexp_replace(v_search, '((?:^|[ \t\n\r\u00a0\u3000])(?:\+|00)[0-9()/.-]*)[ \t\n\r\u00a0\u3000]+(?=[(0-9])', '\1', 'g');
  end loop;
  foreach v_word in array (regexp_split_to_array(v_search, '[ \t\n\r\u00a0\u3000]+'))[1:9] loop
    continue when v_word = '' or cardinality(v_conditions) = 8;
    v_forms := private.folded_forms(v_word);
    v_digits := ltrim(translate(v_word, '+()-/.', ''), '0');
    if v_digits ~ '^[0-9]{2,}$' and (length(v_digits) > 2 or v_word ~ '^[+0]') then
      v_forms := v_forms || v_digits;
      v_national := private.national_digits(v_digits);
      if v_word ~ '^(\+|00)' and length(v_national) > 2 then
        v_forms := v_forms || v_national;
      end if;
    end if;
    v_conditions := v_conditions || format('w.words like any (%L)', array(
      select distinct '%' || regexp_replace(f, '([%_\\])', '\\\1', 'g') || '%' from unnest(v_forms) f
    ));
  end loop;
  return coalesce(nullif(array_to_string(v_conditions, ' and '), ''), 'true');
end
$$;

revoke execute on all functions in schema private from public;

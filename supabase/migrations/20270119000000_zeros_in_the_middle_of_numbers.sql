-- One condition for each of the first eight words of a typed text, on the column w.words. Phone numbers are found by their
-- digits, with or without the zeros before them, and international ones also without the country code. A group of digits that follows
-- another one keeps its zeros: they are in the middle of a number. Words of one or two letters have no trigram. p_by_letters: they are
-- looked for by the index of letters, which is of use where few records have them. It has those that are rare in most languages, and of
-- other scripts.
create or replace function private.search_conditions(p_search text, p_by_letters boolean default false) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_frequent constant text := ' abcdefghiklmnoprstu0123456789.@-';
  v_rare constant text := '(string_to_array(translate(w.words, %3$L, ''''), null) @> string_to_array(%2$L, null) and strpos(w.words, %1$L) > 0)';
  v_word text;
  v_forms text[];
  v_digits text;
  v_national text;
  v_conditions text[] := '{}';
  v_search text := p_search;
  v_is_inner boolean;
  v_is_number boolean := false;
begin
  -- The parts of an international number are one word: up to nine.
  for i in 1..8 loop
    v_search := regexp_replace(v_search, '((?:^|[ \t\n\r\u00a0\u3000])(?:\+|00)[0-9()/.-]*)[ \t\n\r\u00a0\u3000]+(?=[(0-9])', '\1', 'g');
  end loop;
  foreach v_word in array (regexp_split_to_array(v_search, '[ \t\n\r\u00a0\u3000]+'))[1:9] loop
    continue when v_word = '' or cardinality(v_conditions) = 8;
    v_forms := private.folded_forms(v_word);
    v_digits := translate(v_word, '+()-/.', '');
    v_is_inner := v_is_number and v_word !~ '^[+]';
    v_is_number := v_digits ~ '^[0-9]+$';
    if not v_is_inner then
      v_digits := ltrim(v_digits, '0');
    end if;
    if v_digits ~ '^[0-9]{2,}$' and (length(v_digits) > 2 or v_word ~ '^[+0]') then
      v_forms := v_forms || v_digits;
      v_national := private.national_digits(v_digits);
      if not v_is_inner and v_word ~ '^(\+|00)' and length(v_national) > 2 then
        v_forms := v_forms || v_national;
      end if;
    end if;
    if (select min(length(f)) from unnest(v_forms) f) < 3 then
      v_conditions := v_conditions || (
        select '(' || string_agg(distinct format(
            case when p_by_letters and translate(f, v_frequent, '') <> '' then v_rare else 'strpos(w.words, %1$L) > 0' end, f, translate(f, v_frequent, ''), v_frequent
          ), ' or ') || ')'
        from unnest(v_forms) f
      );
    else
      v_conditions := v_conditions || (
        select '(' || string_agg(distinct format('w.words like %L', '%' || regexp_replace(f, '([%_\\])', '\\\1', 'g') || '%'), ' or ') || ')'
        from unnest(v_forms) f
      );
    end if;
  end loop;
  return coalesce(nullif(array_to_string(v_conditions, ' and '), ''), 'true');
end
$$;

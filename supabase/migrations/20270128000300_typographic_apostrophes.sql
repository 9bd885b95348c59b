-- A search takes the apostrophes that phones and word processors type (’ ‘ ʼ ′) for the one on keyboards ('): o’brien finds O'Brien, and o'hara
-- finds O’Hara. The device folds texts in the same way: src/web/data/query/search-text.ts.

-- Words that are written before this migration ends would be folded as before: such writes wait. Reads do not wait. The tables are locked in the
-- order in which a write changes them: the name of a company is in the words of contacts, and both names are in the words of deals.
lock table private.companies_words, private.contacts_words, private.deals_words, private.tasks_words, private.notes_words
  in share row exclusive mode;

-- Small letters without accents, with the apostrophe of keyboards. The argument is in small letters. Without `set`, so that this function and
-- spelled_out are inlined into folded_forms, which has a search path: before version 18, PostgreSQL plans a function in SQL that is not inlined
-- again at every call.
create or replace function private.without_accents(p_text text) returns text
language sql immutable parallel safe
as $$
  select pg_catalog.regexp_replace(
    normalize(pg_catalog.translate(pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(p_text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðıς’‘ʼ′', 'olddiσ'''''''''), nfd),
    '[\u0300-\u036f]', '', 'g')
$$;

-- Only the words that have such a character change.
update private.companies_words set words = regexp_replace(words, '[’‘ʼ′]', '''', 'g') where words ~ '[’‘ʼ′]';
update private.contacts_words set words = regexp_replace(words, '[’‘ʼ′]', '''', 'g') where words ~ '[’‘ʼ′]';
update private.deals_words set words = regexp_replace(words, '[’‘ʼ′]', '''', 'g') where words ~ '[’‘ʼ′]';
update private.tasks_words set words = regexp_replace(words, '[’‘ʼ′]', '''', 'g') where words ~ '[’‘ʼ′]';

-- In notes, ʼ was part of a word, and the others were between words, as ' is.
update private.notes_words w set words = private.note_words(n.brand_id, n.body)
from public.notes n
where n.body like '%ʼ%' and w.brand_id = n.brand_id and w.id = n.id;
